import type { Argument, Option } from "../command.js";

export const SESSION = {
  takes: "one",
  label: "SESSION",
  summary: "Session name, id, or an unambiguous prefix of either",
} as const satisfies Argument;
export const SESSIONS = {
  takes: "some",
  label: "SESSION",
  summary: "Session names, ids, or unambiguous prefixes",
} as const satisfies Argument;
export const OPTIONAL_SESSION = { ...SESSION, takes: "optional" } as const satisfies Argument;
export const DECISION_ID = {
  takes: "text",
  label: "ID",
  summary: "Only if the pending request has this id, or one beginning with these characters (at least six)",
  completes: { kind: "decisions" },
} as const satisfies Option;
export const SPEAKER = {
  takes: "text",
  label: "SESSION",
  summary: "Act as this session (default: the surrounding one)",
} as const satisfies Option;
