import { type Document, Lexer, parseDocument, stringify, visit } from "yaml";
import type { ForeignContent } from "./foreign-files.js";

/** A session of ao-rs has 23 keys and two levels. The parser is recursive, and quadratic in the keys. */
const MAX_DEPTH = 64;
const MAX_TOKENS = 10_000;

/** Parses one YAML 1.2 document of plain data; integers beyond a number's range become bigints. Aliases are rejected. */
export function parseYaml(text: string): ForeignContent {
  const costly = costOf(text);
  if (costly !== null) return { readable: false, reason: costly };
  const document = parseDocument(text, { version: "1.2", schema: "core", intAsBigInt: true, resolveKnownTags: false, logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined) return { readable: false, reason: `not YAML: ${firstLine(error.message)}` };
  keepOverflows(document);
  try {
    return { readable: true, document: withNumbers(document.toJS({ maxAliasCount: 0 })) };
  } catch (error) {
    if (error instanceof ReferenceError) return { readable: false, reason: "it uses YAML aliases" };
    if (error instanceof RangeError) return { readable: false, reason: error.message };
    throw error;
  }
}

/** Every text is quoted, so that no reader of any YAML version reads another type. */
export function yamlText(document: unknown): string {
  return stringify(document, { version: "1.2", schema: "core", defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", lineWidth: 0 });
}

/** Why the text is not parsed at all; null when parsing is cheap. The lexer neither recurses nor backtracks. */
function costOf(text: string): string | null {
  let tokens = 0;
  let brackets = 0;
  let inLine = 0;
  for (const token of new Lexer().lex(text)) {
    if (++tokens > MAX_TOKENS) return `more than ${MAX_TOKENS} tokens of YAML`;
    if (token === "\n" || token === "\r\n") inLine = 0;
    else if (token === "[" || token === "{") brackets += 1;
    else if (token === "]" || token === "}") brackets -= 1;
    else if (token === "-" || token === "?" || token === ":") inLine += 1;
    const indent = /^ +$/.test(token) ? token.length : 0;
    if (Math.max(brackets, inLine, indent) > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
  }
  return null;
}

/** A number beyond every double is a text, as for serde: `550e8400` is the beginning of a UUID. */
function keepOverflows(document: Document): void {
  visit(document, {
    Scalar(_key, node) {
      if ((node.value === Infinity || node.value === -Infinity) && /\d/.test(node.source ?? "")) node.value = node.source;
    },
  });
}

function withNumbers(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError(`${value} is not a number that can be kept`);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNumbers(member)]));
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").replace(/:$/, "");
}
