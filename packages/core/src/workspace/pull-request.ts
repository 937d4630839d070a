import * as z from "zod";
import { Timestamp } from "../time/timestamp.js";

const count = z.number().int().nonnegative();

/** An item of a pull request: a finished check, a review, a comment, one on a line, or its own end. */
export const PullRequestItemKind = z.enum(["check", "review", "comment", "line_comment", "state"]);
export type PullRequestItemKind = z.infer<typeof PullRequestItemKind>;

export const PullRequestItem = z.object({
  /** Identifies the item at the host; for a check, with its commit. */
  key: z.string(),
  kind: PullRequestItemKind,
  /** A digest of its content, which changes with an edit. */
  version: z.string(),
  /** A login at the host; null for checks and for its state. */
  author: z.string().nullable(),
  url: z.string(),
  /** A check with its result, a review's verdict, the line of a comment, `merged` or `closed`. */
  title: z.string(),
  /** Its text, cut to a few thousand characters. */
  text: z.string(),
  edited: z.boolean(),
  /** Whether it needs action: a failed check, requested changes, a comment. */
  asks: z.boolean(),
});
export type PullRequestItem = z.infer<typeof PullRequestItem>;

const Tally = z.object({ passed: count, failed: count, pending: count });

/** The known state of a session's pull request, and the reported part of it. */
export const PullRequestWatch = z.object({
  number: z.number().int().positive(),
  url: z.string(),
  /** Its API address. */
  at: z.object({ host: z.string(), owner: z.string(), repository: z.string() }),
  /** `off`: no queries. `events`: news become events. `deliver`: also prompts, for checks and the authors in `from`. */
  mode: z.enum(["off", "events", "deliver"]),
  from: z.array(z.string()),
  state: z.enum(["unknown", "open", "closed", "merged"]),
  /** Its commit at the last query. */
  head: z.string().nullable(),
  checks: Tally.nullable(),
  /** Each reviewer's current verdict, such as `changes_requested`. */
  reviews: z.record(z.string(), z.string()),
  /** By path: the response's entity tag, whether a page follows it, and the tally of a page of checks. */
  pages: z.record(z.string(), z.object({ tag: z.string().nullable(), more: z.boolean(), checks: Tally.optional() })),
  /** By key: the reported version. */
  reported: z.record(z.string(), z.string()),
  /** Reported, but not yet known to be in the event journal. */
  unconfirmed: z.array(PullRequestItem),
  /** Being delivered to the session. */
  undelivered: z.array(PullRequestItem),
  /** How many of the first of them are in a prompt that may have been submitted. */
  submitting: count.default(0),
  /** Number of prompts made from it. */
  prompts: count,
  looked_at: Timestamp.nullable(),
  next_at: Timestamp.nullable(),
  /** Consecutive failed queries, and the reason of the last. */
  failures: count,
  failure: z.string().nullable(),
});
export type PullRequestWatch = z.infer<typeof PullRequestWatch>;

const PLACE = /^https:\/\/([\w.-]+)\/([\w.-]+)\/([\w.-]+)\/pull\/(\d+)\/?$/;

/** The pull request at an address; null for any other address. */
export function pullRequestAt(url: string): Pick<PullRequestWatch, "at" | "number"> | null {
  const [, host = "", owner = "", repository = "", number = ""] = PLACE.exec(url) ?? [];
  return host === "" ? null : { at: { host, owner, repository }, number: Number(number) };
}
