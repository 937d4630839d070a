import { createHash } from "node:crypto";
import { join } from "node:path";
import { ProjectFile, type ProjectSetup } from "@tmpm/core";
import { Lexer, parseDocument } from "yaml";
import { readBounded } from "../files/read-bounded.js";

/** The file at the top of a repository with the setup of its workspaces. */
export const PROJECT_FILE = ".tmpm.yaml";

/** The setup in a directory's project file. The digest is that of the exact bytes of `setup`. */
export type SetupFound =
  | { readonly kind: "none" }
  | { readonly kind: "unreadable"; readonly path: string; readonly reason: string }
  | { readonly kind: "found"; readonly path: string; readonly sha256: string; readonly setup: ProjectSetup };

const MAX_BYTES = 64 * 1024;

/** Reads the project file of a directory, bounded, and never through a symbolic link. */
export async function setupIn(directory: string): Promise<SetupFound> {
  const path = join(directory, PROJECT_FILE);
  const file = await readBounded(path, { maxBytes: MAX_BYTES });
  if (file.kind === "missing") return { kind: "none" };
  if (file.kind === "refused") return { kind: "unreadable", path, reason: file.reason };
  const parsed = parse(file.bytes);
  if ("reason" in parsed) return { kind: "unreadable", path, reason: parsed.reason };
  const { setup } = parsed.file;
  return setup === undefined
    ? { kind: "none" }
    : { kind: "found", path, sha256: createHash("sha256").update(file.bytes).digest("hex"), setup };
}

type Parsed = { readonly file: ProjectFile } | { readonly reason: string };

function parse(content: Buffer): Parsed {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    const costly = costOf(text);
    if (costly !== null) return { reason: costly };
    const document = parseDocument(text, { version: "1.2", schema: "core", logLevel: "silent" });
    const [fault] = document.errors;
    if (fault !== undefined) return { reason: fault.message.split("\n", 1)[0] ?? "it is not YAML" };
    const read = ProjectFile.safeParse(document.toJS({ maxAliasCount: 0 }) ?? {});
    if (read.success) return { file: read.data };
    const [issue] = read.error.issues;
    return { reason: `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "not as expected"}` };
  } catch (error) {
    // Errors of the decoder, the parser and its aliases for invalid files.
    if (error instanceof TypeError) return { reason: "it is not UTF-8" };
    if (error instanceof ReferenceError) return { reason: "it uses YAML aliases" };
    if (error instanceof RangeError) return { reason: "it is nested too deep" };
    throw error;
  }
}

/** The parser is recursive, and quadratic in the size of a collection. */
const MAX_TOKENS = 5_000;
const MAX_DEPTH = 20;

/** Why the text is not parsed at all; null when parsing is cheap. The lexer neither recurses nor backtracks. */
function costOf(text: string): string | null {
  let tokens = 0;
  let open = 0;
  let inLine = 0;
  for (const token of new Lexer().lex(text)) {
    if (++tokens > MAX_TOKENS) return "it is too large";
    if (token === "[" || token === "{") open += 1;
    if (token === "]" || token === "}") open -= 1;
    if (token === "\n" || token === "\r\n") inLine = 0;
    if (token === "-" || token === "?") inLine += 1;
    if (Math.max(open, inLine) > MAX_DEPTH) return "it is nested too deep";
  }
  return null;
}
