import type { Needs, Tool } from "./tool.js";
import { getResult } from "./tools/get-result.js";
import { getSession } from "./tools/get-session.js";
import { listAgents } from "./tools/list-agents.js";
import { listSessions } from "./tools/list-sessions.js";
import { readScreen } from "./tools/read-screen.js";
import { wait } from "./tools/wait.js";
import { why } from "./tools/why.js";

/** Every tool, in the order in which clients see them. None answers an approval: that is a person's to do. */
export const TOOLS: readonly Tool[] = [listSessions, getSession, why, readScreen, getResult, listAgents, wait];

/** The tools of a caller: outside of a session there is nothing to act as. */
export function toolsFor(self: string | null): readonly Tool[] {
  const known: readonly Needs[] = self === null ? ["read"] : ["read", "own", "grant"];
  return TOOLS.filter(({ needs }) => known.includes(needs));
}
