import type { Standing } from "@tmpm/api/standing";

/** The class that colours a word or sign. */
export const TONE_CLASS: Readonly<Record<Standing["tone"], string>> = {
  red: "error",
  yellow: "need",
  green: "work",
  cyan: "ready",
  plain: "plain",
  faint: "faint",
};
