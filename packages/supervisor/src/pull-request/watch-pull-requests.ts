import { createHash } from "node:crypto";
import { hasCode, isTmpmError, msFromTimestamp, type PullRequestItem, type PullRequestWatch, timestampFromMs } from "@tmpm/core";
import type { FailedQuery } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { submit } from "../operations/submit.js";
import { deliveryPrompt, MOST_IN_PROMPT } from "./delivery-prompt.js";

/** Maximum number of prompts for one pull request, until a user sets its watch again. */
export const MOST_PROMPTS = 20;
const MOST_WAIT_MS = 3_600_000;

export interface WatchRound {
  /** Sessions whose pull requests were queried. */
  readonly looked: readonly string[];
  /** Milliseconds until the next is due; null when nothing is watched. */
  readonly nextMs: number | null;
}

/** One round: queries each watched pull request that is due. Without one, no request is sent. */
export async function watchPullRequests(ctx: Context): Promise<WatchRound> {
  const looked: string[] = [];
  for (const [session, watch] of await ctx.pullRequests.registry.all()) {
    if (!isWatched(watch) || dueInMs(ctx, watch) > 0) continue;
    looked.push(session);
    await readPullRequest(ctx, session).catch((error: unknown) =>
      ctx.report({ doing: `looking at the pull request of ${session}`, error }),
    );
  }
  const rest = [...(await ctx.pullRequests.registry.all()).values()].filter(isWatched).map((watch) => dueInMs(ctx, watch));
  return { looked, nextMs: rest.length === 0 ? null : Math.max(0, Math.min(...rest)) };
}

/** A pull request that has ended and was reported is not queried. */
function isWatched({ mode, state, unconfirmed, undelivered }: PullRequestWatch): boolean {
  return mode !== "off" && (state === "open" || state === "unknown" || unconfirmed.length > 0 || undelivered.length > 0);
}

function dueInMs(ctx: Pick<Context, "clock">, { next_at }: PullRequestWatch): number {
  return next_at === null ? 0 : msFromTimestamp(next_at) - ctx.clock.now();
}

/** Queries the host, records news before they are reported, and reports them. */
export function readPullRequest(ctx: Context, session: string): Promise<PullRequestWatch | null> {
  return ctx.pullRequests.registry.looking.run(session, async () => {
    await reportAgain(ctx, session);
    const before = await ctx.pullRequests.registry.of(session);
    if (before === null) return null;
    const ends = before.state === "closed" || before.state === "merged";
    if (ends) await later(ctx, session);
    else await readForge(ctx, { session, before });
    return deliver(ctx, session);
  });
}

/** Undelivered news of an ended one are retried after a while. */
async function later(ctx: Pick<Context, "clock" | "pullRequests" | "settings">, session: string): Promise<void> {
  const next_at = timestampFromMs(ctx.clock.now() + ctx.settings.pullRequestMs);
  await ctx.pullRequests.registry.amend(session, (now) => ({ ...now, next_at }));
}

const NO_FORGE: FailedQuery = { kind: "refused", reason: "pull requests are not available here", waitMs: null };

interface Looked {
  readonly session: string;
  readonly before: PullRequestWatch;
}

async function readForge(ctx: Context, { session, before }: Looked): Promise<void> {
  const nowMs = ctx.clock.now();
  const look = (await ctx.forge?.read(before, nowMs)) ?? NO_FORGE;
  if (look.kind === "refused") return refused(ctx, { session, before, look });
  const at = timestampFromMs(nowMs);
  const watched = await amendSame(ctx, { session, before }, ({ mode, from, prompts, undelivered, submitting }) => ({
    ...look.watch,
    // A caller may have set them during the query.
    mode,
    from,
    prompts,
    submitting,
    undelivered: [...undelivered, ...look.news.filter((item) => isDelivered({ ...before, mode, from }, item))],
    looked_at: at,
    next_at: timestampFromMs(nowMs + ctx.settings.pullRequestMs),
    failures: 0,
    failure: null,
  }));
  if (!watched) return;
  await ctx.reached("pull_request.seen");
  await reportNews(ctx, { session, watch: look.watch, items: look.news });
  await ctx.reached("pull_request.reported");
}

/** False when the session has another pull request by now, or none: what was read is not about it. */
async function amendSame(
  ctx: Pick<Context, "pullRequests">,
  { session, before }: Looked,
  change: (watch: PullRequestWatch) => PullRequestWatch,
): Promise<boolean> {
  const after = await ctx.pullRequests.registry.amend(session, (now) => (now.url === before.url ? change(now) : now));
  return after?.url === before.url;
}

async function refused(
  ctx: Pick<Context, "clock" | "pullRequests" | "settings">,
  { session, before, look }: Looked & { readonly look: FailedQuery },
): Promise<void> {
  const backOff = Math.min(MOST_WAIT_MS, ctx.settings.pullRequestMs * 2 ** Math.min(before.failures, 10));
  const untilMs = ctx.clock.now() + Math.max(look.waitMs ?? 0, backOff);
  const until = timestampFromMs(untilMs);
  await amendSame(ctx, { session, before }, (now) => ({
    ...now,
    failures: before.failures + 1,
    failure: look.reason,
    next_at: until,
  }));
  if (look.waitMs === null) return;
  // The limit belongs to the login, and so to every request to that host.
  for (const [other, watch] of await ctx.pullRequests.registry.all()) {
    if (other === session || watch.at.host !== before.at.host || !isWatched(watch) || dueInMs(ctx, watch) >= untilMs - ctx.clock.now())
      continue;
    await ctx.pullRequests.registry.amend(other, (now) => ({ ...now, next_at: until }));
  }
}

/** A crash may have come between recording news and reporting them: the event journal decides. */
async function reportAgain(ctx: Context, session: string): Promise<void> {
  const watch = await ctx.pullRequests.registry.of(session);
  if (watch === null || watch.unconfirmed.length === 0) return;
  const written = await ctx.newsWritten();
  const lost = watch.unconfirmed.filter((item) => !written.has(idOf(session, item)));
  await reportNews(ctx, { session, watch, items: lost });
  for (const item of watch.unconfirmed) if (written.has(idOf(session, item))) ctx.pullRequests.emitted.delete(idOf(session, item));
  const still = new Set(lost);
  await ctx.pullRequests.registry.amend(session, (now) => ({
    ...now,
    unconfirmed: now.unconfirmed.filter((item) => still.has(item)),
  }));
}

interface News {
  readonly session: string;
  readonly watch: PullRequestWatch;
  readonly items: readonly PullRequestItem[];
}

async function reportNews(ctx: Context, { session, watch, items }: News): Promise<void> {
  const at = timestampFromMs(ctx.clock.now());
  for (const item of items) {
    // It was emitted in this run, though the journal may not have it yet.
    if (!ctx.pullRequests.emitted.has(idOf(session, item))) {
      await ctx.reached("pull_request.reporting");
      ctx.pullRequests.emitted.add(idOf(session, item));
      const { key, version, kind, author, url, title, edited, asks } = item;
      ctx.emit({
        type: "pull_request_news",
        at,
        session_id: session,
        number: watch.number,
        item: key,
        version,
        kind,
        author,
        url,
        title,
        edited,
        asks,
      });
    }
  }
}

/** The news that an event reports, for readers of the journal. */
export function newsId({
  session_id,
  item,
  version,
}: {
  readonly session_id: string;
  readonly item: string;
  readonly version: string;
}): string {
  return `${session_id} ${item} ${version}`;
}

function idOf(session: string, { key, version }: PullRequestItem): string {
  return newsId({ session_id: session, item: key, version });
}

function isDelivered({ mode, from }: PullRequestWatch, { kind, author, asks }: PullRequestItem): boolean {
  if (mode !== "deliver" || !asks) return false;
  return kind === "check" || (author !== null && from.some((login) => login.toLowerCase() === author.toLowerCase()));
}

/** As one prompt, with a key, so that it is sent once despite a crash. A session that accepts none gets it later. */
async function deliver(ctx: Context, session: string): Promise<PullRequestWatch | null> {
  const watch = await ctx.pullRequests.registry.of(session);
  if (watch === null || watch.undelivered.length === 0) return watch;
  if (watch.mode !== "deliver" || watch.prompts >= MOST_PROMPTS)
    return ctx.pullRequests.registry.amend(session, (now) => ({ ...now, undelivered: [], submitting: 0 }));
  // Recorded first: after a crash exactly these are submitted again, with the same key.
  const isFree = ctx.pullRequests.registry.unsubmitted.delete(session);
  const begun = await ctx.pullRequests.registry.amend(session, (now) => {
    const most = isFree || now.submitting === 0 ? MOST_IN_PROMPT : now.submitting;
    const submitting = Math.min(most, now.undelivered.length);
    return submitting === now.submitting ? now : { ...now, submitting };
  });
  const items = begun?.undelivered.slice(0, begun.submitting) ?? [];
  if (begun === null || items.length === 0) return begun;
  try {
    await submit(ctx, { session, prompt: deliveryPrompt({ ...begun, items }), queue: true, idempotency_key: keyOf(session, items) });
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    if (!hasCode(error, "INVALID_STATE", "QUEUE_FULL"))
      ctx.report({ doing: `delivering what is new at the pull request of ${session}`, error });
    if (error.effect === "none") ctx.pullRequests.registry.unsubmitted.add(session);
    return begun;
  }
  await ctx.reached("pull_request.delivered");
  return ctx.pullRequests.registry.amend(session, (now) => ({
    ...now,
    prompts: now.prompts + 1,
    undelivered: now.undelivered.slice(items.length),
    submitting: 0,
  }));
}

function keyOf(session: string, items: readonly PullRequestItem[]): string {
  const digest = createHash("sha256").update(items.map((item) => idOf(session, item)).join("\n"));
  return `pull-request-${digest.digest("hex").slice(0, 32)}`;
}
