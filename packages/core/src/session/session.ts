import * as z from "zod";
import { SessionId } from "../id/ids.js";
import { timestampFromMs } from "../time/time.js";
import { Timestamp, timestampOr } from "../time/timestamp.js";

export const SessionStatus = z.enum(["Starting", "Active", "AwaitingApproval", "Detached", "Paused", "Stopped"]);
export type SessionStatus = z.infer<typeof SessionStatus>;

/** The kind of host of the session's terminal. */
export const ControlModel = z.enum(["Tmux", "Pty", "Sdk"]);
export type ControlModel = z.infer<typeof ControlModel>;

/** The kind of session: in tmux, or a native agent process that is only observed. */
export const SessionHost = z.enum(["tmux", "native"]);
export type SessionHost = z.infer<typeof SessionHost>;

/** serde reads a missing time as the current time; with an injected clock, use the codec `compat/trusty-mpm`. */
const nowWhenAbsent = timestampOr(() => timestampFromMs(Date.now()));

/** A session at one moment, field for field as trusty-mpm 1.1 with times as RFC 3339; missing fields take serde's defaults. */
export const Session = z.object({
  id: SessionId,
  workdir: z.string(),
  status: SessionStatus,
  control: ControlModel,
  active_delegations: z.number().int().min(0).max(4_294_967_295),
  tmux_name: z.string().default(""),
  created_at: nowWhenAbsent,
  last_seen: nowWhenAbsent,
  project_path: z.string().nullable().default(null),
  paused_at: Timestamp.nullable().default(null),
  pause_summary: z.string().nullable().default(null),
  origin: SessionHost.default("tmux"),
  pid: z.number().int().min(0).max(4_294_967_295).nullable().default(null),
});
export type Session = z.infer<typeof Session>;
