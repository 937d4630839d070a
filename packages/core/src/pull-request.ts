import * as z from "zod";
import { Timestamp } from "./timestamp.js";

const count = z.number().int().nonnegative();

/** What happens at a pull request: a check that has run, a review, a comment, one on a line, or its own end. */
export const PullRequestItemKind = z.enum(["check", "review", "comment", "line_comment", "state"]);
export type PullRequestItemKind = z.infer<typeof PullRequestItemKind>;

export const PullRequestItem = z.object({
  /** The same for the same thing at the host; of a check with its commit. */
  key: z.string(),
  kind: PullRequestItemKind,
  /** A digest of what it says: another one once it was edited. */
  version: z.string(),
  /** A login at the host; null for checks and for its state. */
  author: z.string().nullable(),
  url: z.string(),
  /** A check with its result, the verdict of a review, the line of a comment, `merged` or `closed`. */
  title: z.string(),
  /** What it says, cut to a few thousand characters. */
  text: z.string(),
  edited: z.boolean(),
  /** Asks for something: a check that failed, changes that are requested, a comment. */
  asks: z.boolean(),
});
export type PullRequestItem = z.infer<typeof PullRequestItem>;

/** What is known of a session's pull request and what was reported of it. */
export const PullRequestWatch = z.object({
  number: z.number().int().positive(),
  url: z.string(),
  /** Where it is asked for. */
  at: z.object({ host: z.string(), owner: z.string(), repository: z.string() }),
  /** `off`: nothing is asked. `events`: news are events. `deliver`: and prompts, of the authors in `from` and of checks. */
  mode: z.enum(["off", "events", "deliver"]),
  from: z.array(z.string()),
  state: z.enum(["unknown", "open", "closed", "merged"]),
  /** The commit that it was at when it was looked at last. */
  head: z.string().nullable(),
  checks: z.object({ passed: count, failed: count, pending: count }).nullable(),
  /** The verdict of each reviewer that counts now, such as `changes_requested`. */
  reviews: z.record(z.string(), z.string()),
  /** By path: the entity tag of the answer, and whether a page follows it. */
  pages: z.record(z.string(), z.object({ tag: z.string().nullable(), more: z.boolean() })),
  /** By key: the version that was reported. */
  reported: z.record(z.string(), z.string()),
  /** Reported, and not known to be in the event journal yet. */
  unconfirmed: z.array(PullRequestItem),
  /** On their way into the session. */
  undelivered: z.array(PullRequestItem),
  /** Prompts that were made of it. */
  prompts: count,
  looked_at: Timestamp.nullable(),
  next_at: Timestamp.nullable(),
  /** Looks in a row that failed, and why the last did. */
  failures: count,
  failure: z.string().nullable(),
});
export type PullRequestWatch = z.infer<typeof PullRequestWatch>;

const PLACE = /^https:\/\/([\w.-]+)\/([\w.-]+)\/([\w.-]+)\/pull\/(\d+)\/?$/;

/** Where a pull request is, from its address; null for what is none. */
export function pullRequestAt(url: string): Pick<PullRequestWatch, "at" | "number"> | null {
  const [, host = "", owner = "", repository = "", number = ""] = PLACE.exec(url) ?? [];
  return host === "" ? null : { at: { host, owner, repository }, number: Number(number) };
}
