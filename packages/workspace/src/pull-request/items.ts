import { createHash } from "node:crypto";
import type { PullRequestItem } from "@tmpm/core";
import * as z from "zod";

const MOST_TEXT = 4_000;

const User = z.object({ login: z.string() }).nullish();

export const Pull = z.object({
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  merged: z.boolean().nullish(),
  head: z.object({ sha: z.string() }),
});

const Check = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: z.string().nullish(),
});
export type Check = z.infer<typeof Check>;
export const CheckPage = z.object({ check_runs: z.array(Check) });

export const Review = z.object({
  id: z.number(),
  user: User,
  state: z.string(),
  body: z.string().nullish(),
  html_url: z.string().nullish(),
});
export type Review = z.infer<typeof Review>;

export const Comment = z.object({
  id: z.number(),
  user: User,
  body: z.string().nullish(),
  html_url: z.string().nullish(),
  path: z.string().optional(),
  line: z.number().nullish(),
});
export type Comment = z.infer<typeof Comment>;

type Item = Omit<PullRequestItem, "edited" | "version">;

/** Results that need work; skipped and cancelled ones do not. */
export const FAILED: ReadonlySet<string> = new Set(["failure", "timed_out", "action_required", "startup_failure"]);

/** Null until it has finished. */
export function checkItem({ id, name, status, conclusion, html_url }: Check, head: string): Item | null {
  if (status !== "completed") return null;
  const result = conclusion ?? "unknown";
  return {
    key: `check:${id}:${head}`,
    kind: "check",
    author: null,
    url: html_url ?? "",
    title: `${name}: ${result}`,
    text: "",
    asks: FAILED.has(result),
  };
}

/** Null for one that is not submitted, and for an empty one around line comments. */
export function reviewItem({ id, user, state, body, html_url }: Review): Item | null {
  const verdict = state.toLowerCase();
  if (verdict === "pending" || (verdict === "commented" && (body ?? "") === "")) return null;
  const asks = verdict === "changes_requested" || verdict === "commented";
  return { key: `review:${id}`, kind: "review", author: user?.login ?? null, url: html_url ?? "", title: verdict, text: body ?? "", asks };
}

export function commentItem({ id, user, body, html_url, path, line }: Comment): Item {
  const kind = path === undefined ? "comment" : "line_comment";
  const title = path === undefined ? "" : `${path}${line == null ? "" : `:${line}`}`;
  return { key: `${kind}:${id}`, kind, author: user?.login ?? null, url: html_url ?? "", title, text: body ?? "", asks: true };
}

/** A line moves along with the commits above it, without being edited. */
export function versioned(item: Item, reported: Readonly<Record<string, string>>): PullRequestItem {
  const said = item.kind === "line_comment" ? [item.text] : [item.title, item.text];
  const version = createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 16);
  return { ...item, text: item.text.slice(0, MOST_TEXT), version, edited: reported[item.key] !== undefined };
}
