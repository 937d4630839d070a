import { normalizeUuid } from "../../id/uuid.js";
import { nameFromUuid } from "../../session/names.js";
import { SessionRecord, type SessionState } from "../../session/record.js";
import type { Session, SessionStatus } from "../../session/session.js";
import { isFields } from "../fields.js";
import { directoryFromForeign, nameFromForeign } from "../foreign-name.js";
import { invalidField, type Reading, read } from "../reading.js";
import type { FileEntry, TrustyMpmOptions } from "../trusty-mpm.js";
import { encodeSession, readSession } from "./session.js";

/** The sessions of `{"sessions": [Session, …]}`, the core registry's response, which is never stored; null for anything else. */
export function registrySessions(document: unknown): readonly unknown[] | null {
  return isFields(document) && Array.isArray(document.sessions) ? document.sessions : null;
}

/** A malformed one hides no other. */
export function decodeRegistry(documents: readonly unknown[], { now }: Pick<TrustyMpmOptions, "now">): readonly FileEntry[] {
  const seen = new Set<string>();
  return documents.map((document): FileEntry => {
    const named = isFields(document) ? String(document.id) : "";
    const id = normalizeUuid(named) ?? named;
    const session = readSession(document, now);
    const reading = session.ok ? recordOf(session.value) : session;
    if (!reading.ok) return { kind: reading.kind, id, error: reading.error, document };
    if (seen.has(id)) return { kind: "damaged", id, error: invalidField("id", "another entry has this id"), document };
    seen.add(id);
    return { kind: "session", id, record: reading.value };
  });
}

const STATES: Readonly<Record<SessionStatus, SessionState>> = {
  Starting: "provisioning",
  Active: "active",
  AwaitingApproval: "active",
  Detached: "active",
  Paused: "active",
  Stopped: "stopped",
};

/** All fields of the registry stay on the record under `trusty_registry`. */
function recordOf(session: Session): Reading<SessionRecord> {
  const { id, workdir, status, control, tmux_name, created_at, last_seen, project_path, paused_at, pause_summary } = session;
  const terminal = tmux_name === "" ? nameFromUuid(id) : tmux_name;
  return read(SessionRecord, {
    id,
    name: nameFromForeign(terminal),
    tmux_name: terminal,
    cwd: directoryFromForeign(workdir === "" ? project_path : workdir),
    project_path,
    state: STATES[status],
    stop_cause: status === "Stopped" ? "deliberate" : null,
    created_at,
    updated_at: last_seen,
    last_seen_at: last_seen,
    paused_at,
    pause_summary,
    agent: "claude",
    control,
    trusty_registry: encodeSession(session),
  });
}
