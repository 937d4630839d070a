import { ThoughtSnapshot } from "../activity/thought.js";
import type { SessionRecord } from "../session/record.js";
import type { Document } from "./document.js";
import { only } from "./fields.js";
import { orThrow, read } from "./reading.js";
import { encodeRecord } from "./swimmers/encode-record.js";
import { type RegistryEntry, readRegistry, readThoughts, type ThoughtEntry } from "./swimmers/files.js";
import { decodeSession, encodeSession, type PersistedSession } from "./swimmers/persisted-session.js";
import { decodeThought, encodeThought, type PersistedThought } from "./swimmers/persisted-thought.js";
import { recordOf } from "./swimmers/record.js";

const SAME = Object.keys(ThoughtSnapshot.shape).filter((field) => field !== "updated_at");

/** The agent's last thought as a snapshot of ours; null where there is none. */
function snapshotOf(session: PersistedSession): ThoughtSnapshot | null {
  const { thought, thought_updated_at, token_count, commit_candidate, action_cues, last_activity_at } = session;
  const silent = thought === null && thought_updated_at === null && token_count === 0 && !commit_candidate && action_cues.length === 0;
  if (silent) return null;
  return orThrow(read(ThoughtSnapshot, { ...only(session, SAME), updated_at: thought_updated_at ?? last_activity_at }));
}

export type { Document } from "./document.js";
export type { RegistryEntry, ThoughtEntry } from "./swimmers/files.js";
export type { PersistedSession } from "./swimmers/persisted-session.js";
export type { PersistedThought } from "./swimmers/persisted-thought.js";

export interface SwimmersOptions {
  /** The session id for a foreign id that is not a UUID; deterministic. */
  readonly idOf: (foreignId: string) => string;
}

/** Reads and writes documents of swimmers as plain objects. Every failure is INVALID_ARGUMENT with the field's path in `details.field`. */
export interface Swimmers {
  /** A session of `session_registry.json` (swimmers 1.4) with its defaults; unknown fields are kept. */
  decodeSession(document: unknown): PersistedSession;
  /** The fields in serde's order, without those that it omits, then the unknown ones. */
  encodeSession(session: PersistedSession): Document;
  /** A snapshot of `thoughts.json`. */
  decodeThought(document: unknown): PersistedThought;
  encodeThought(thought: PersistedThought): Document;
  /** The entries of `session_registry.json`. A malformed one does not hide others. @throws INVALID_ARGUMENT when it is not an array */
  decodeRegistry(document: unknown): readonly RegistryEntry[];
  /** The entries of `thoughts.json`, by session id or pane key. @throws INVALID_ARGUMENT when it is not an object */
  decodeThoughts(document: unknown): readonly ThoughtEntry[];
  /** The session with the thought stored for its id, which is newer; zero counts do not override (swimmers 2.6, W37). */
  withThought(session: PersistedSession, thought: PersistedThought): PersistedSession;
  /** The agent's last thought, with its counts; null where there is none. */
  toThought(session: PersistedSession): ThoughtSnapshot | null;
  /** A record of ours and the agent's last thought, as a session of the registry. */
  fromRecord(record: SessionRecord, thought: ThoughtSnapshot | null): Document;
  /**
   * The session as a record of ours: `stopped` once it exited, else `active`. All its swimmers fields stay on the record under `swimmers`.
   */
  toRecord(session: PersistedSession): SessionRecord;
}

/** The codec for swimmers' documents. Callers open the checksummed envelope and parse the text. */
export function swimmers({ idOf }: SwimmersOptions): Swimmers {
  return {
    decodeSession: (document) => orThrow(decodeSession(document)),
    encodeSession,
    decodeThought: (document) => orThrow(decodeThought(document)),
    encodeThought,
    decodeRegistry: readRegistry,
    decodeThoughts: readThoughts,
    withThought,
    toThought: snapshotOf,
    fromRecord: encodeRecord,
    toRecord: (session) => recordOf(session, idOf),
  };
}

function withThought(session: PersistedSession, snapshot: PersistedThought): PersistedSession {
  const { updated_at, thought, token_count, context_limit, objective_changed_at, objective_fingerprint, ...rest } = snapshot;
  return {
    ...session,
    ...rest,
    thought: thought ?? session.thought,
    thought_updated_at: updated_at,
    token_count: token_count || session.token_count,
    context_limit: context_limit || session.context_limit,
    objective_changed_at: objective_changed_at ?? session.objective_changed_at,
    objective_fingerprint: objective_fingerprint ?? session.objective_fingerprint,
  };
}
