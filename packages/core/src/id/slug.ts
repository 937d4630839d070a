import { TmpmError } from "../errors.js";

/** 1-63 of `A-Za-z0-9_-`, beginning with a letter or digit: safe as a file name, as a tmux name and as an argument. */
export const SLUG_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

export const DEFAULT_PROJECT = "default";

/** The one parser for names and project ids. @throws INVALID_ARGUMENT */
export function parseSlug(text: string, what = "name"): string {
  if (SLUG_PATTERN.test(text)) return text;
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(text)} is not a valid ${what}`, {
    hint: "Use 1-63 ASCII letters, digits, - and _, beginning with a letter or digit.",
    details: { field: what },
  });
}
