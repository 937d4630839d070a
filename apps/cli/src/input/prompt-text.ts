import { createReadStream, readFileSync } from "node:fs";
import { MAX_TEXT_BYTES, TmpmError } from "@tmpm/core";
import { usageError } from "../parse/usage-error.js";

export interface PromptSources {
  /** Words of the command line; a single `-` means standard input. */
  readonly words: readonly string[];
  /** A file's path; `-` means standard input. */
  readonly file: string | undefined;
}

/** CRLF becomes LF, so an acceptable text can be at most twice as long. */
const MAX_INPUT_BYTES = 2 * MAX_TEXT_BYTES;

/** The given text, byte for byte; null without one. @throws INVALID_TEXT, TEXT_TOO_LARGE, INVALID_ARGUMENT */
export async function promptText({ words, file }: PromptSources): Promise<string | null> {
  if (words.length > 0 && file !== undefined) throw usageError("the text is given twice", "Give either TEXT or --prompt-file.");
  if (file !== undefined && file !== "-") return decode(await readFile(file), file);
  if (file === "-" || (words.length === 1 && words[0] === "-")) return decode(await readAll(process.stdin), "standard input");
  return words.length === 0 ? null : exactArguments(words);
}

async function readFile(file: string): Promise<Buffer> {
  try {
    return await readAll(createReadStream(file));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && "syscall" in error)) throw error;
    throw usageError(`cannot read ${file} (${String(error.code)})`, "Give the path of a readable file.");
  }
}

async function readAll(source: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of source) {
    const chunk = Buffer.from(part);
    bytes += chunk.length;
    if (bytes > MAX_INPUT_BYTES) {
      throw new TmpmError("TEXT_TOO_LARGE", `the text has more than ${MAX_INPUT_BYTES} bytes; a session accepts ${MAX_TEXT_BYTES}`, {
        hint: "Put it in a file and send the file's path.",
        details: { limit: MAX_TEXT_BYTES },
      });
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

function decode(bytes: Buffer, source: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw notUnicode(source);
    throw error;
  }
}

/** Node replaces invalid UTF-8 in its arguments with U+FFFD; only the raw command line shows whether that was typed. */
function exactArguments(words: readonly string[]): string {
  const text = words.join(" ");
  if (text.includes("\ufffd") && !rawArgumentsAreUnicode()) throw notUnicode("the command line");
  return text;
}

function rawArgumentsAreUnicode(): boolean {
  try {
    decode(readFileSync("/proc/self/cmdline"), "the command line");
    return true;
  } catch {
    // Not UTF-8, or a system without /proc, where it cannot be verified.
    return false;
  }
}

function notUnicode(source: string): TmpmError {
  return new TmpmError("INVALID_TEXT", `${source} is not valid UTF-8`, { hint: "Only Unicode text can be sent." });
}
