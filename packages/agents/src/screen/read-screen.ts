import type { Observation, Reading } from "../adapter.js";
import { agents } from "../registry.js";

/** The reading of a live or recorded screen by one of this package's agents (`observationOf`). @throws AGENT_UNKNOWN */
export function readScreen(agentId: string, observation: Observation): Reading {
  return agents().find(agentId).read(observation);
}
