import { agents } from "../registry.js";
import type { HookReading } from "./hook-reading.js";

/** What one of this package's agents says with an event, as it came on its hook's standard input. @throws AGENT_UNKNOWN */
export function readHook(agentId: string, payload: unknown): HookReading | null {
  return agents().find(agentId).hooks?.read(payload) ?? null;
}
