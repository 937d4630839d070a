import { agents } from "../registry.js";
import type { HookReading } from "./hook-reading.js";

/** The meaning of an event of one of this package's agents, as its hook's standard input. @throws AGENT_UNKNOWN */
export function readHook(agentId: string, payload: unknown): HookReading | null {
  return agents().find(agentId).hooks?.read(payload) ?? null;
}
