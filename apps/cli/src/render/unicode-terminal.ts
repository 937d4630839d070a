import { platform } from "node:os";
import type { Context } from "../context.js";

/** Whether the locale is one of UTF-8; without any, only a Mac's terminal is taken for one. */
export function isUnicodeTerminal({ LC_ALL, LC_CTYPE, LANG }: Context["env"]): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return locale === "" ? platform() === "darwin" : /utf-?8/i.test(locale);
}
