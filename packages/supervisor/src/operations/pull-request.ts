import { type PullRequestWatch, pullRequestAt, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { readPullRequest } from "../pull-request/watch-pull-requests.js";

export interface WatchPullRequestInput {
  readonly session: string;
  readonly mode?: PullRequestWatch["mode"] | undefined;
  /** Authors whose words become prompts with `deliver`. */
  readonly from?: readonly string[] | undefined;
  /** Query now, whether it is watched or not. */
  readonly now?: boolean | undefined;
}

export interface SessionPullRequest {
  readonly record: SessionRecord;
  readonly watch: PullRequestWatch;
}

/** The known state of a session's pull request. Sends no request. @throws PULL_REQUEST_NOT_FOUND */
export async function pullRequest(ctx: Context, input: { readonly session: string }): Promise<SessionPullRequest> {
  const record = await findSession(ctx, input.session);
  return { record, watch: await watchOf(ctx, record) };
}

/** Sets whether a session's pull request is watched, and how news are handled. @throws PULL_REQUEST_NOT_FOUND, INVALID_ARGUMENT */
export async function watchPullRequest(ctx: Context, input: WatchPullRequestInput): Promise<SessionPullRequest> {
  const record = await findSession(ctx, input.session);
  const fresh = await watchOf(ctx, record);
  const mode = input.mode ?? fresh.mode;
  const from = input.from ?? fresh.from;
  if (mode === "deliver" && from.length === 0) {
    throw new TmpmError("INVALID_ARGUMENT", "no author was named whose comments may be delivered", {
      hint: "Name the logins of the authors with --from.",
      details: { field: "from" },
    });
  }
  const asked = input.mode !== undefined;
  await ctx.pullRequests.registry.change(record.id, (now) => {
    const watch = now?.url === fresh.url ? now : fresh;
    return { ...watch, mode, from: [...from], ...(asked ? { prompts: 0, next_at: null } : {}) };
  });
  const looked = input.now ? await readPullRequest(ctx, record.id) : await ctx.pullRequests.registry.of(record.id);
  ctx.pullRequests.requests.notify();
  return { record, watch: looked ?? fresh };
}

/** Another pull request of the session starts over. */
async function watchOf(ctx: Pick<Context, "pullRequests">, { id, name, claimed_pr_url: url }: SessionRecord): Promise<PullRequestWatch> {
  const place = url === null ? null : pullRequestAt(url);
  if (url === null || place === null) {
    throw new TmpmError("PULL_REQUEST_NOT_FOUND", `session ${name} has no pull request`, {
      hint: `\`tmpm finish ${name} --how pr\` opens one.`,
    });
  }
  const known = await ctx.pullRequests.registry.of(id);
  return known?.url === url ? known : { ...NOTHING, ...place, url };
}

const NOTHING = {
  mode: "off",
  from: [],
  state: "unknown",
  head: null,
  checks: null,
  reviews: {},
  pages: {},
  reported: {},
  unconfirmed: [],
  undelivered: [],
  submitting: 0,
  prompts: 0,
  looked_at: null,
  next_at: null,
  failures: 0,
  failure: null,
} satisfies Omit<PullRequestWatch, "at" | "number" | "url">;
