import { isUtf8 } from "node:buffer";
import { TmpmError } from "@tmpm/core";
import type { FastifyInstance } from "fastify";

/** Reads JSON bodies unambiguously, so that every parser agrees: UTF-8 only, and no duplicate names in an object. */
export function jsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const fault = charsetFault(request.headers["content-type"] ?? "") ?? (isUtf8(body) ? null : malformed("the body is not UTF-8"));
    if (fault !== null) return done(fault);
    const text = body.toString("utf8");
    void parse(request, text, (error, value) => {
      if (error) return done(error);
      const twice = repeatedName(text);
      if (twice === null) done(null, value);
      else done(malformed(`the body has the name ${JSON.stringify(twice.slice(0, MOST_SHOWN))} twice in one object`));
    });
  });
}

const MOST_SHOWN = 100;
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;

/** A duplicate name in an object of this valid JSON; null without one. */
export function repeatedName(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  let text: string | null = null;
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":" && text !== null) {
      const name: string = JSON.parse(text);
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
    text = token.startsWith('"') ? token : null;
  }
  return null;
}

function charsetFault(type: string): TmpmError | null {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return null;
  return new TmpmError("MEDIA_TYPE_UNSUPPORTED", `the body's charset is ${JSON.stringify(charset)}; JSON is read as UTF-8`, {
    hint: "Send it as UTF-8, with `Content-Type: application/json`.",
    details: { part: "body" },
  });
}

function malformed(message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { details: { part: "body" } });
}
