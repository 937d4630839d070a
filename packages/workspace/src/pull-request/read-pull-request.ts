import type { PullRequestWatch } from "@tmpm/core";
import * as z from "zod";
import type { AskForge, FailedQuery, ForgeAnswer, PullRequestLook } from "./forge.js";
import { type Check, CheckPage, Comment, checkItem, commentItem, FAILED, Pull, Review, reviewItem, versioned } from "./items.js";

interface Looking {
  readonly ask: AskForge;
  readonly nowMs: number;
}

type Pages = PullRequestWatch["pages"];
/** `items` is null when unchanged. */
type Got<T> = { readonly kind: "got"; readonly items: readonly (readonly T[] | null)[]; readonly pages: Pages } | FailedQuery;

const PAGE = 100;
const MOST_PAGES = 10;
/** Number of remembered versions; the oldest are forgotten first. */
const MOST_REPORTED = 5_000;

/** Queries everything about a pull request, each page only if it has changed. A failure halfway discards the whole query. */
export async function readPullRequest(watch: PullRequestWatch, looking: Looking): Promise<PullRequestLook> {
  const { owner, repository } = watch.at;
  const root = `repos/${owner}/${repository}`;
  const pull = await get(watch, { looking, path: `${root}/pulls/${watch.number}`, schema: Pull.transform((found) => [found]) });
  if (pull.kind === "refused") return pull;
  const [found] = pull.items[0] ?? [];
  const head = found?.head.sha ?? watch.head ?? "";
  const state = found === undefined ? watch.state : found.state === "open" ? "open" : found.merged ? "merged" : "closed";
  const list = <T>(path: string, schema: z.ZodType<readonly T[]>) => all(watch, { looking, path: `${root}/${path}`, schema });
  const checks = await checksOf(watch, { looking, path: `${root}/commits/${head}/check-runs` });
  if (checks.kind === "refused") return checks;
  const reviews = await list(`pulls/${watch.number}/reviews`, z.array(Review));
  if (reviews.kind === "refused") return reviews;
  const lines = await list(`pulls/${watch.number}/comments`, z.array(Comment));
  if (lines.kind === "refused") return lines;
  const comments = await list(`issues/${watch.number}/comments`, z.array(Comment));
  if (comments.kind === "refused") return comments;
  const items = [
    ...changed(checks.items).map((each) => checkItem(each, head)),
    ...changed(reviews.items).map(reviewItem),
    ...[...changed(lines.items), ...changed(comments.items)].map(commentItem),
    ...(state === "merged" || state === "closed" ? [ended(watch, state)] : []),
  ].flatMap((item) => (item === null ? [] : [versioned(item, watch.reported)]));
  const news = items.filter(({ key, version }) => watch.reported[key] !== version);
  return {
    kind: "seen",
    news,
    watch: {
      ...watch,
      state,
      head,
      checks: totalOf(Object.values(checks.pages).flatMap((page) => page.checks ?? [])),
      reviews: verdicts(watch, changed(reviews.items)),
      pages: { ...pull.pages, ...checks.pages, ...reviews.pages, ...lines.pages, ...comments.pages },
      reported: newest({ ...watch.reported, ...Object.fromEntries(news.map(({ key, version }) => [key, version])) }),
      unconfirmed: [...watch.unconfirmed, ...news],
    },
  };
}

function ended({ number, url }: PullRequestWatch, state: "merged" | "closed") {
  return { key: `state:${number}:${state}`, kind: "state" as const, author: null, url, title: state, text: "", asks: false };
}

function changed<T>(pages: readonly (readonly T[] | null)[]): readonly T[] {
  return pages.flatMap((items) => items ?? []);
}

type Tally = NonNullable<PullRequestWatch["checks"]>;

/** The checks of a commit. Each page has its tally, because the host does not send an unchanged page again. */
async function checksOf(watch: PullRequestWatch, of: { readonly looking: Looking; readonly path: string }): Promise<Got<Check>> {
  const tallied = Object.entries(watch.pages).filter(([, page]) => page.checks !== undefined);
  const got = await all(
    { ...watch, pages: Object.fromEntries(tallied) },
    { ...of, schema: CheckPage.transform(({ check_runs }) => check_runs) },
  );
  if (got.kind === "refused") return got;
  const pages = Object.entries(got.pages).map(([path, page], index) => {
    const checks = got.items[index];
    return [path, checks == null ? page : { ...page, checks: tallyOf(checks) }] as const;
  });
  return { ...got, pages: Object.fromEntries(pages) };
}

function tallyOf(checks: readonly Check[]): Tally {
  const failed = checks.filter(({ conclusion }) => FAILED.has(conclusion ?? "")).length;
  const pending = checks.filter(({ status }) => status !== "completed").length;
  return { passed: checks.length - failed - pending, failed, pending };
}

function totalOf(tallies: readonly Tally[]): Tally {
  const sum = (part: keyof Tally) => tallies.reduce((total, tally) => total + tally[part], 0);
  return { passed: sum("passed"), failed: sum("failed"), pending: sum("pending") };
}

/** A plain comment does not withdraw its author's requested changes; only another verdict does. */
function verdicts({ reviews }: PullRequestWatch, changes: readonly Review[]): Record<string, string> {
  const said = changes.flatMap(({ user, state }) => {
    const verdict = state.toLowerCase();
    return user == null || verdict === "commented" || verdict === "pending" ? [] : [[user.login, verdict] as const];
  });
  return { ...reviews, ...Object.fromEntries(said) };
}

function newest(reported: Record<string, string>): Record<string, string> {
  const entries = Object.entries(reported);
  return entries.length <= MOST_REPORTED ? reported : Object.fromEntries(entries.slice(-MOST_REPORTED));
}

interface Wanted<T> {
  readonly looking: Looking;
  readonly path: string;
  readonly schema: z.ZodType<readonly T[]>;
}

/** All pages of a list. */
async function all<T>(watch: PullRequestWatch, wanted: Wanted<T>): Promise<Got<T>> {
  const items: (readonly T[] | null)[] = [];
  let pages: Pages = {};
  for (let page = 1; page <= MOST_PAGES; page++) {
    const path = `${wanted.path}?per_page=${PAGE}${page === 1 ? "" : `&page=${page}`}`;
    const got = await get(watch, { ...wanted, path });
    if (got.kind === "refused") return got;
    items.push(...got.items);
    pages = { ...pages, ...got.pages };
    if (got.pages[path]?.more !== true) break;
  }
  return { kind: "got", items, pages };
}

async function get<T>(watch: PullRequestWatch, { looking, path, schema }: Wanted<T>): Promise<Got<T>> {
  const known = watch.pages[path];
  const answer = await looking.ask({ host: watch.at.host, path, etag: known?.tag ?? null });
  if (answer.kind === "answered" && answer.status === 304 && known !== undefined)
    return { kind: "got", items: [null], pages: { [path]: known } };
  if (answer.kind === "unavailable" || answer.status !== 200) return refusal(answer, looking.nowMs);
  const { data } = schema.safeParse(answer.body);
  if (data === undefined) return { kind: "refused", reason: "the host's answer could not be read", waitMs: null };
  return { kind: "got", items: [data], pages: { [path]: { tag: answer.headers.get("etag") ?? null, more: data.length >= PAGE } } };
}

/** The delay is in `retry-after`, in seconds, or given by the time at which the limit is reset. */
function refusal(answer: ForgeAnswer, nowMs: number): FailedQuery {
  if (answer.kind === "unavailable") return { kind: "refused", reason: answer.reason, waitMs: null };
  const { status, headers } = answer;
  const after = Number(headers.get("retry-after") ?? Number.NaN);
  const reset = headers.get("x-ratelimit-remaining") === "0" ? Number(headers.get("x-ratelimit-reset") ?? Number.NaN) : Number.NaN;
  const waits = [after * 1000, reset * 1000 - nowMs].filter((ms) => Number.isFinite(ms) && ms > 0);
  const limited = status === 403 || status === 429;
  return { kind: "refused", reason: `the host answered ${status}`, waitMs: limited && waits.length > 0 ? Math.max(...waits) : null };
}
