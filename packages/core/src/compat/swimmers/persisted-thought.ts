import * as z from "zod";
import { Rfc3339 } from "../../time/timestamp.js";
import type { Document } from "../document.js";
import { without } from "../fields.js";
import { invalid, type Reading, read } from "../reading.js";
import { option, U64 } from "../wire.js";
import { belief } from "./belief.js";

/** A snapshot in `thoughts.json` (swimmers 1.4), in the order in which serde writes the fields. */
export const PersistedThought = z.looseObject({
  thought: belief.thought,
  thought_state: belief.thought_state,
  thought_source: belief.thought_source,
  rest_state: belief.rest_state,
  commit_candidate: belief.commit_candidate,
  action_cues: belief.action_cues,
  objective_changed_at: belief.objective_changed_at,
  objective_fingerprint: belief.objective_fingerprint,
  token_count: belief.token_count,
  context_limit: belief.context_limit,
  updated_at: Rfc3339,
  stream_instance_id: option(z.string()),
  emission_seq: U64.default(0),
});
export type PersistedThought = z.infer<typeof PersistedThought>;

export function decodeThought(document: unknown): Reading<PersistedThought> {
  return read(PersistedThought, document);
}

export function encodeThought(thought: PersistedThought): Document {
  const result = z.safeEncode(PersistedThought, thought);
  if (!result.success) throw invalid(result.error.issues);
  return thought.action_cues.length === 0 ? without(result.data, ["action_cues"]) : result.data;
}
