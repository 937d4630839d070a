import type { Observation, Reading } from "../adapter.js";
import { agents } from "../registry.js";

/** What one of this package's agents makes of a screen, seen live or recorded (`observationOf`). @throws AGENT_UNKNOWN */
export function readScreen(agentId: string, observation: Observation): Reading {
  return agents().find(agentId).read(observation);
}
