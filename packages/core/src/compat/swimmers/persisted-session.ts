import * as z from "zod";
import { Rfc3339 } from "../../time/timestamp.js";
import type { Document } from "../document.js";
import { without } from "../fields.js";
import { invalid, type Reading, read } from "../reading.js";
import { option, U64 } from "../wire.js";
import { belief } from "./belief.js";

/** The tmux server: its default, `-L value` or `-S value`. */
const TmuxTarget = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("default") }),
  z.looseObject({ type: z.literal("socket_name"), value: z.string().regex(/^(?!\s)[^/\\]+(?<!\s)$/, "not the name of a socket") }),
  z.looseObject({ type: z.literal("socket_path"), value: z.string().min(1) }),
]);

const Batch = z.looseObject({
  id: z.string(),
  label: z.string(),
  index: U64,
  total: U64,
  created_at: Rfc3339,
  prompt_excerpt: z.string().nullish(),
});

/** A session of the registry (swimmers 1.4), in the order in which serde writes the fields. */
export const PersistedSession = z.looseObject({
  session_id: z.string().min(1),
  tmux_name: z.string(),
  tmux_target: TmuxTarget.default({ type: "default" }),
  state: z.enum(["idle", "busy", "error", "attention", "exited"]),
  tool: option(z.string()),
  token_count: belief.token_count,
  context_limit: belief.context_limit,
  thought: belief.thought,
  thought_state: belief.thought_state,
  thought_source: belief.thought_source,
  thought_updated_at: option(Rfc3339),
  rest_state: belief.rest_state,
  commit_candidate: belief.commit_candidate,
  action_cues: belief.action_cues,
  objective_changed_at: belief.objective_changed_at,
  last_skill: option(z.string()),
  objective_fingerprint: belief.objective_fingerprint,
  batch: option(Batch),
  cwd: z.string(),
  last_activity_at: Rfc3339,
});
export type PersistedSession = z.infer<typeof PersistedSession>;

export function decodeSession(document: unknown): Reading<PersistedSession> {
  return read(PersistedSession, document);
}

export function encodeSession(session: PersistedSession): Document {
  const result = z.safeEncode(PersistedSession, session);
  if (!result.success) throw invalid(result.error.issues);
  const { tmux_target, action_cues, batch } = session;
  const unset = { tmux_target: tmux_target.type === "default", action_cues: action_cues.length === 0, batch: batch === null };
  return without(
    result.data,
    Object.entries(unset).flatMap(([name, empty]) => (empty ? [name] : [])),
  );
}
