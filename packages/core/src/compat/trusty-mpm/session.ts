import * as z from "zod";
import { ControlModel, type Session, SessionHost, SessionStatus } from "../../session/session.js";
import type { Timestamp } from "../../time/timestamp.js";
import { invalid, orThrow, type Reading, read } from "../reading.js";
import type { Document } from "../trusty-mpm.js";
import { option, SerdeTime, U32, Uuid } from "../wire.js";

/** trusty-mpm 1.1, in the order in which serde writes the fields. */
const SessionDocument = z.object({
  id: Uuid,
  workdir: z.string(),
  status: SessionStatus,
  control: ControlModel,
  active_delegations: U32,
  tmux_name: z.string().default(""),
  created_at: SerdeTime.optional(),
  last_seen: SerdeTime.optional(),
  project_path: option(z.string()),
  paused_at: option(SerdeTime),
  pause_summary: option(z.string()),
  origin: SessionHost.default("tmux"),
  pid: option(U32),
});

export function decodeSession(document: unknown, now: () => Timestamp): Session {
  return orThrow(readSession(document, now));
}

/** Both missing times get the same value. */
export function readSession(document: unknown, now: () => Timestamp): Reading<Session> {
  const reading = read(SessionDocument, document);
  if (!reading.ok) return reading;
  const { created_at, last_seen, ...session } = reading.value;
  const time = now();
  return { ok: true, value: { ...session, created_at: created_at ?? time, last_seen: last_seen ?? time } };
}

export function encodeSession(session: Session): Document {
  const result = z.safeEncode(SessionDocument, session);
  if (result.success) return result.data;
  throw invalid(result.error.issues);
}
