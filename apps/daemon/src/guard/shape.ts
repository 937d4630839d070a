import type { IncomingMessage } from "node:http";
import { PATHS } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import type { Refused } from "./refused.js";

/** Node keeps the first of several such headers, or joins them; a proxy or an earlier check may have used another one. */
const ONCE: ReadonlySet<string> = new Set(["host", "origin", "authorization", "cookie", "content-type", "sec-fetch-site", "upgrade"]);
const METHODS: ReadonlySet<string> = new Set(Object.values(PATHS).map(({ method }) => method));

/** Refuses requests that tmpm's clients never send and that two parsers may read differently (reliability C4). */
export function shapeFault(request: IncomingMessage, upgrade: boolean): Refused | null {
  const seen = new Set<string>();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase() ?? "";
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) return malformed(`the header ${name} occurs more than once`);
    seen.add(name);
  }
  if (!seen.has("host")) return malformed("the header host is missing");
  if (!isOriginForm(request.url ?? "")) return malformed("the request's target is not a path");
  if (upgrade) return isWebSocket(request) ? null : malformed("only an upgrade to a WebSocket is supported");
  if (!METHODS.has(request.method ?? "")) return unknownMethod(request.method ?? "");
  return null;
}

/** Node passes `http://other/path` and `//other/path` on as they are. */
function isOriginForm(target: string): boolean {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(target) && !target.includes("#");
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

function malformed(message: string): Refused {
  return { error: new TmpmError("INVALID_ARGUMENT", message, { details: { part: "request" } }) };
}

function unknownMethod(method: string): Refused {
  const allowed = [...METHODS].sort().join(", ");
  return { error: new TmpmError("METHOD_NOT_ALLOWED", `the method ${method} is not supported`), headers: { allow: allowed } };
}
