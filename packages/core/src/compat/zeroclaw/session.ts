import * as z from "zod";
import { Rfc3339 } from "../../time/timestamp.js";
import { type Reading, read } from "../reading.js";
import { option } from "../wire.js";

/** A row of `acp_messages`; `id` orders them. */
const Message = z.looseObject({
  id: z.number().int(),
  role: z.string(),
  content: z.string(),
  created_at: Rfc3339,
});
export type ZeroclawMessage = z.infer<typeof Message>;

/** A row of `acp_sessions`, without columns that an older release does not have. */
const Session = z.looseObject({
  session_uuid: z.string().min(1),
  agent_alias: z.string(),
  workspace_dir: z.string(),
  /** Null outside the exact range of a number. */
  token_count: z.number().int().nonnegative().nullable().default(0).catch(null),
  killed_at: option(Rfc3339),
  plan_json: option(z.string()),
  created_at: Rfc3339,
  last_activity: Rfc3339,
  messages: z.array(Message).default([]),
});
export type ZeroclawSession = z.infer<typeof Session>;

export function decodeSession(document: unknown): Reading<ZeroclawSession> {
  return read(Session, document);
}
