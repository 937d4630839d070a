import type { ContextFill, ReadFile, TokenCounts, UsageRecord } from "@tmpm/core";
import type { ChangeListener } from "../files/at-change.js";
import type { TranscriptRequest } from "../files/transcript.js";
import type { GrownOptions } from "./grown-lines.js";

/** One response of a model, as the agent's own record counts it. */
export interface AnswerUsage {
  /** Identifies the response, in any file and however often it is written. */
  readonly key: string;
  /** Milliseconds since 1970; null when the record does not have it. */
  readonly atMs: number | null;
  readonly model: string | null;
  readonly tokens: TokenCounts;
  /** Current usage of the conversation's context window; null for a response that does not show it, such as a sub-agent's. */
  readonly context: ContextFill | null;
}

/** The reader's state from previous lines. */
export type UsageState = ReadFile["state"];

export interface UsageLine {
  readonly state: UsageState;
  /** Null for a line without usage. */
  readonly answer: AnswerUsage | null;
}

/** Where an agent records its models' usage, and how to read a line of it. */
export interface UsageFormat {
  /** Finds the files of a conversation, and of its sub-agents. */
  readonly locate: (request: TranscriptRequest) => LocateUsage;
  readonly read: (line: string, state: UsageState) => UsageLine;
}

export interface CountOptions extends GrownOptions {
  /** One of the found files. */
  readonly path: string;
  /** Milliseconds since 1970, for responses without a time. */
  readonly nowMs: number;
  /** Responses counted by another session, such as the source of a fork. */
  readonly taken: (key: string) => boolean;
  /** Whether this session has counted a response; without it, its record is searched. */
  readonly counted?: (key: string) => boolean;
}

export interface UsageCounted {
  readonly record: UsageRecord;
  readonly more: boolean;
}

/** How an agent's usage is counted. */
export interface UsageSource extends Pick<UsageFormat, "locate"> {
  /** In bytes; null for a missing file. */
  readonly sizeOf: (path: string) => number | null;
  /** Calls back once, at the next change of a file; null where changes are not reported. */
  readonly atChange: (path: string, changed: () => void) => ChangeListener | null;
  /** Counts additions to a session's files since the last check; returns the same record without any. Reads a bounded part at once. */
  readonly count: (record: UsageRecord, options: CountOptions) => UsageCounted;
}

/** The absolute paths of the existing files. */
export type LocateUsage = () => Promise<readonly string[]>;

/** A line without usage. */
export function nothing(state: UsageState): UsageLine {
  return { state, answer: null };
}
