import { createHash } from "node:crypto";
import { hasCode, isTmpmError, msFromTimestamp, type PullRequestItem, type PullRequestWatch, timestampFromMs } from "@tmpm/core";
import type { Refused } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { submit } from "../operations/submit.js";
import { deliveryPrompt, MOST_IN_PROMPT } from "./delivery-prompt.js";

/** Of one pull request, until a person asks for more by setting its watch again. */
export const MOST_PROMPTS = 20;
const MOST_WAIT_MS = 3_600_000;

export interface Watched {
  /** Sessions whose pull requests were asked about. */
  readonly looked: readonly string[];
  /** Milliseconds until the next is due; null when nothing is watched. */
  readonly nextMs: number | null;
}

/** One round: looks at each watched pull request that is due. Without one, no request is sent. */
export async function watchPullRequests(ctx: Context): Promise<Watched> {
  const looked: string[] = [];
  for (const [session, watch] of await ctx.pullRequests.all()) {
    if (!isWatched(watch) || dueInMs(ctx, watch) > 0) continue;
    looked.push(session);
    await lookAtPullRequest(ctx, session).catch((error: unknown) =>
      ctx.report({ doing: `looking at the pull request of ${session}`, error }),
    );
  }
  const rest = [...(await ctx.pullRequests.all()).values()].filter(isWatched).map((watch) => dueInMs(ctx, watch));
  return { looked, nextMs: rest.length === 0 ? null : Math.max(0, Math.min(...rest)) };
}

/** What has ended and was reported is not asked about. */
function isWatched({ mode, state, unconfirmed, undelivered }: PullRequestWatch): boolean {
  return mode !== "off" && (state === "open" || state === "unknown" || unconfirmed.length > 0 || undelivered.length > 0);
}

function dueInMs(ctx: Context, { next_at }: PullRequestWatch): number {
  return next_at === null ? 0 : msFromTimestamp(next_at) - ctx.clock.now();
}

/** Asks the host, writes down what is new before it is reported, and reports it. */
export function lookAtPullRequest(ctx: Context, session: string): Promise<PullRequestWatch | null> {
  return ctx.pullRequests.looking.run(session, async () => {
    const before = await ctx.pullRequests.of(session);
    if (before === null) return null;
    await reportAgain(ctx, session);
    const ends = before.state === "closed" || before.state === "merged";
    if (ends) await later(ctx, session);
    else await lookAtHost(ctx, { session, before });
    return deliver(ctx, session);
  });
}

/** What is left of one that has ended is tried again after a while. */
async function later(ctx: Context, session: string): Promise<void> {
  const next_at = timestampFromMs(ctx.clock.now() + ctx.settings.pullRequestMs);
  await ctx.pullRequests.amend(session, (now) => ({ ...now, next_at }));
}

const NO_FORGE: Refused = { kind: "refused", reason: "pull requests are not available here", waitMs: null };

interface Looked {
  readonly session: string;
  readonly before: PullRequestWatch;
}

async function lookAtHost(ctx: Context, { session, before }: Looked): Promise<void> {
  const nowMs = ctx.clock.now();
  const look = (await ctx.forge?.read(before, nowMs)) ?? NO_FORGE;
  if (look.kind === "refused") return refused(ctx, { session, before, look });
  const at = timestampFromMs(nowMs);
  const watched = await ctx.pullRequests.amend(session, ({ mode, from, prompts, undelivered }) => ({
    ...look.watch,
    // A caller may have set them during the observation.
    mode,
    from,
    prompts,
    undelivered: [...undelivered, ...look.news.filter((item) => isDelivered({ ...before, mode, from }, item))],
    looked_at: at,
    next_at: timestampFromMs(nowMs + ctx.settings.pullRequestMs),
    failures: 0,
    failure: null,
  }));
  if (watched === null) return;
  await ctx.reached("pull_request.seen");
  await reportNews(ctx, { session, watch: look.watch, items: look.news });
  await ctx.reached("pull_request.reported");
}

async function refused(ctx: Context, { session, before, look }: Looked & { readonly look: Refused }): Promise<void> {
  const backOff = Math.min(MOST_WAIT_MS, ctx.settings.pullRequestMs * 2 ** Math.min(before.failures, 10));
  const untilMs = ctx.clock.now() + Math.max(look.waitMs ?? 0, backOff);
  const until = timestampFromMs(untilMs);
  await ctx.pullRequests.amend(session, (now) => ({
    ...now,
    failures: before.failures + 1,
    failure: look.reason,
    next_at: until,
  }));
  if (look.waitMs === null) return;
  // The limit is one of the login, and so of everything that is asked at that host.
  for (const [other, watch] of await ctx.pullRequests.all()) {
    if (other === session || watch.at.host !== before.at.host || !isWatched(watch) || dueInMs(ctx, watch) >= untilMs - ctx.clock.now())
      continue;
    await ctx.pullRequests.amend(other, (now) => ({ ...now, next_at: until }));
  }
}

/** A crash may have come between writing news down and reporting them: the journal of events knows. */
async function reportAgain(ctx: Context, session: string): Promise<void> {
  const watch = await ctx.pullRequests.of(session);
  if (watch === null || watch.unconfirmed.length === 0) return;
  const written = await ctx.newsWritten();
  const lost = watch.unconfirmed.filter((item) => !written.has(idOf(session, item)));
  await reportNews(ctx, { session, watch, items: lost });
  for (const item of watch.unconfirmed) if (written.has(idOf(session, item))) ctx.newsEmitted.delete(idOf(session, item));
  const still = new Set(lost);
  await ctx.pullRequests.amend(session, (now) => ({
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
    // In this run it was emitted, though the journal may not have it yet.
    if (!ctx.newsEmitted.has(idOf(session, item))) {
      await ctx.reached("pull_request.reporting");
      ctx.newsEmitted.add(idOf(session, item));
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

/** Which news an event is about, for readers of the journal. */
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

/** As one prompt, under a key, so that a crash sends it once. A session that takes none gets it later. */
async function deliver(ctx: Context, session: string): Promise<PullRequestWatch | null> {
  const watch = await ctx.pullRequests.of(session);
  const items = watch?.undelivered.slice(0, MOST_IN_PROMPT) ?? [];
  if (watch === null || items.length === 0) return watch;
  if (watch.mode !== "deliver" || watch.prompts >= MOST_PROMPTS)
    return ctx.pullRequests.amend(session, (now) => ({ ...now, undelivered: [] }));
  const key = `pull-request-${createHash("sha256")
    .update(items.map((item) => idOf(session, item)).join("\n"))
    .digest("hex")
    .slice(0, 32)}`;
  try {
    await submit(ctx, { session, prompt: deliveryPrompt({ ...watch, items }), queue: true, idempotency_key: key });
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    if (!hasCode(error, "INVALID_STATE", "QUEUE_FULL"))
      ctx.report({ doing: `delivering what is new at the pull request of ${session}`, error });
    return watch;
  }
  await ctx.reached("pull_request.delivered");
  return ctx.pullRequests.amend(session, (now) => ({
    ...now,
    prompts: now.prompts + 1,
    undelivered: now.undelivered.slice(items.length),
  }));
}
