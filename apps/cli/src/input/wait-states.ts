import type { WaitUntil } from "@tmpm/api";

/** The states that a command can wait for. */
export const WAIT_STATES = [
  "idle",
  "working",
  "awaiting_approval",
  "awaiting_input",
  "blocked",
  "errored",
  "starting",
  "exited",
  "question",
] as const satisfies WaitUntil[];
