import type { Argument, Option } from "../command.js";

export const SESSION = {
  takes: "one",
  label: "SESSION",
  summary: "Its name, its id, or the beginning of either",
} as const satisfies Argument;
export const SESSIONS = { takes: "some", label: "SESSION", summary: "Names, ids, or the beginning of either" } as const satisfies Argument;
export const OPTIONAL_SESSION = { ...SESSION, takes: "optional" } as const satisfies Argument;
export const DECISION_ID = {
  takes: "text",
  label: "ID",
  summary: "Only if this is what it asks: the id, or at least six characters of it",
} as const satisfies Option;
