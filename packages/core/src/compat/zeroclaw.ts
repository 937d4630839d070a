import type { SessionRecord } from "../session/record.js";
import { orThrow } from "./reading.js";
import { type Exchange, exchangesOf } from "./zeroclaw/exchanges.js";
import { recordOf } from "./zeroclaw/record.js";
import { decodeSession, type ZeroclawSession } from "./zeroclaw/session.js";

export type { Exchange } from "./zeroclaw/exchanges.js";
export type { ZeroclawMessage, ZeroclawSession } from "./zeroclaw/session.js";

export interface ZeroclawOptions {
  /** The session id for a foreign id that is not a UUID; deterministic. */
  readonly idOf: (foreignId: string) => string;
}

/** Reads the durable sessions of zeroclaw (zeroclaw 1.14) as plain objects. Every failure is INVALID_ARGUMENT with the field's path in `details.field`. */
export interface Zeroclaw {
  /** A row of `acp_sessions` with its rows of `acp_messages` as `messages`; unknown columns are kept. */
  decodeSession(document: unknown): ZeroclawSession;
  /**
   * The session as a record of ours: `decommissioned` once it was killed, else `stopped`. All its zeroclaw fields stay on the record under
   * `zeroclaw`.
   */
  toRecord(session: ZeroclawSession): SessionRecord;
  /** Its conversation: each prompt with the agent's last message before the next one, oldest first. */
  toExchanges(session: ZeroclawSession): readonly Exchange[];
}

/** The codec for zeroclaw's sessions. Callers read the database. */
export function zeroclaw({ idOf }: ZeroclawOptions): Zeroclaw {
  return {
    decodeSession: (document) => orThrow(decodeSession(document)),
    toRecord: (session) => recordOf(session, idOf),
    toExchanges: exchangesOf,
  };
}
