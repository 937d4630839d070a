import { LosslessNumber, parse } from "lossless-json";
import { MAX_DEPTH } from "../sessions/record-document.js";
import type { ForeignContent } from "./foreign-files.js";

/** Parses JSON; a number that would not print as it was read is kept as a lossless number. */
export function parseJson(text: string): ForeignContent {
  try {
    const plain: unknown = JSON.parse(text);
    if (!isShallow(plain, MAX_DEPTH)) return { readable: false, reason: `nested deeper than ${MAX_DEPTH} levels` };
    return { readable: true, document: LONG_NUMBER.test(text) ? parse(text, undefined, exactNumber) : plain };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { readable: false, reason: `not JSON: ${error.message}` };
  }
}

/** Whether nothing is nested deeper than `depth` levels. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1));
}

/** A number, or a text that looks like one, that may exceed a double's precision. Parsing losslessly takes several times as long. */
const LONG_NUMBER = /[[:,]\s*-?(?:\d[\d.]{15,}|[\d.]+[eE])/;

function exactNumber(text: string): number | LosslessNumber {
  const number = Number(text);
  return String(number) === text ? number : new LosslessNumber(text);
}
