import type { IncomingMessage } from "node:http";
import { PATHS } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import type { Refused } from "./refused.js";

/** Node keeps the first of several, or joins them: a proxy or an earlier check may have used another. */
const ONCE = ["host", "origin", "authorization", "cookie", "content-type", "sec-fetch-site", "upgrade"] as const;
const METHODS: ReadonlySet<string> = new Set(Object.values(PATHS).map(({ method }) => method));

/** Refuses requests that no client of ours sends and that two parsers may read differently (reliability C4). */
export function shapeFault(request: IncomingMessage, upgrade: boolean): Refused | null {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const twice = ONCE.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) return malformed(`the header ${twice} occurs more than once`);
  if (!names.includes("host")) return malformed("the header host is missing");
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
