import type { Argument } from "../command.js";

export const SESSION = {
  takes: "one",
  label: "SESSION",
  summary: "Its name, its id, or the beginning of either",
} as const satisfies Argument;
export const SESSIONS = { takes: "some", label: "SESSION", summary: "Names, ids, or the beginning of either" } as const satisfies Argument;
