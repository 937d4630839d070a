import * as z from "zod";

/** A JavaScript regular expression, used with the flag `u`. */
export const Pattern = z.string().refine(isPattern, "not a regular expression");

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    // The constructor fails only for a malformed pattern.
    return false;
  }
}
