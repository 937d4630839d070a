import { platform } from "node:os";
import type { Context } from "../context.js";

/** Whether the locale uses UTF-8; without a locale, assumed on macOS only. */
export function isUnicodeTerminal({ LC_ALL, LC_CTYPE, LANG }: Context["env"]): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return locale === "" ? platform() === "darwin" : /utf-?8/i.test(locale);
}
