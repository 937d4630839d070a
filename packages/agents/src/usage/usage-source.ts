import type { ContextFill, ReadFile, TokenCounts, UsageRecord } from "@tmpm/core";
import type { TranscriptRequest } from "../files/transcript.js";
import type { GrownOptions } from "./grown-lines.js";

/** One answer of a model, as the agent's own record counts it. */
export interface AnswerUsage {
  /** The same for the same answer, in whatever file and however often it is written. */
  readonly key: string;
  /** Milliseconds since 1970; null where the record does not report it. */
  readonly atMs: number | null;
  readonly model: string | null;
  readonly tokens: TokenCounts;
  /** How full the conversation's context window is now; null for an answer that does not show it, as one of a sub-agent. */
  readonly context: ContextFill | null;
}

/** What the reader has to know of the lines before. */
export type UsageState = ReadFile["state"];

export interface UsageLine {
  readonly state: UsageState;
  /** Null for a line that counts nothing. */
  readonly answer: AnswerUsage | null;
}

/** Where an agent writes down what its models were asked for, and how a line of that reads. */
export interface UsageFormat {
  /** Finds the files of a conversation, and of its sub-agents. */
  readonly locate: (request: TranscriptRequest) => LocateUsage;
  readonly read: (line: string, state: UsageState) => UsageLine;
}

export interface CountOptions extends GrownOptions {
  /** One of the files that were found. */
  readonly path: string;
  /** Milliseconds since 1970, for answers that the agent gives no time. */
  readonly nowMs: number;
  /** Answers that another session has counted, as of the conversation that this one was forked from. */
  readonly taken: (key: string) => boolean;
}

export interface UsageCounted {
  readonly record: UsageRecord;
  /** There is more to read. */
  readonly more: boolean;
}

/** How what an agent's models are asked for is counted. */
export interface UsageSource extends Pick<UsageFormat, "locate"> {
  /** Counts what was added to a file of a session since it was checked; the same record when nothing was. Reads a bounded part at once. */
  readonly count: (record: UsageRecord, options: CountOptions) => UsageCounted;
}

/** The absolute paths of the files that there are now. */
export type LocateUsage = () => Promise<readonly string[]>;

/** A line that counts nothing. */
export function nothing(state: UsageState): UsageLine {
  return { state, answer: null };
}
