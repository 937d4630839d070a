import { addTokens, NO_TOKENS, sameTokens, type TokenCounts, tokensBeyond } from "./token-counts.js";
import type { ContextFill, RecentAnswer, UsageDay, UsageRecord } from "./usage-record.js";

/** One response of a model. The same key is the same response, counted once; the last counts are final. */
export interface CountedAnswer {
  readonly key: string;
  readonly day: string;
  readonly model: string | null;
  readonly tokens: TokenCounts;
  /** Null for a response outside the conversation, such as a sub-agent's. */
  readonly context: ContextFill | null;
}

/** Agents rewrite a response within a few lines. Minimum number of responses whose counts are kept; the maximum is twice that. */
const RECENT = 64;
/** Maximum number of remembered responses; the oldest are forgotten. */
const SEEN = 20_000;

/** The record with responses counted, in order; the same record when nothing changes. `isSeen` replaces the search for a key in a long record. */
export function countAnswers(
  record: UsageRecord,
  answers: readonly CountedAnswer[],
  isSeen: (key: string) => boolean = (key) => record.seen.includes(key),
): UsageRecord {
  const counted = answers.reduce<Counted>((sum, answer) => {
    const before = sum.recent.find(({ key }) => key === answer.key);
    if (before !== undefined) return withLast(sum, { before, answer });
    return isSeen(answer.key) ? sum : withNew(sum, answer);
  }, record);
  if (counted === record) return record;
  const { days, recent, context } = counted;
  if (recent.length <= 2 * RECENT) return { ...record, days, recent, context };
  // Moved in batches, since each move copies a list of thousands.
  const seen = [...record.seen, ...recent.slice(0, -RECENT).map(({ key }) => key)];
  return { ...record, days, recent: recent.slice(-RECENT), context, seen: seen.slice(-SEEN) };
}

type Counted = Pick<UsageRecord, "days" | "recent" | "context">;

function withLast(sum: Counted, { before, answer }: { readonly before: RecentAnswer; readonly answer: CountedAnswer }): Counted {
  if (sameTokens(before.tokens, answer.tokens) && before.model === answer.model) return sum;
  const now = { ...answer, day: before.day };
  const days = withDay(withoutAnswer(sum.days, before), now);
  return { days, recent: sum.recent.map((each) => (each === before ? recentOf(now) : each)), context: answer.context ?? sum.context };
}

function withNew({ days, recent, context }: Counted, answer: CountedAnswer): Counted {
  return { days: withDay(days, answer), recent: [...recent, recentOf(answer)], context: answer.context ?? context };
}

function recentOf({ key, day, model, tokens }: CountedAnswer): RecentAnswer {
  return { key, day, model, tokens };
}

function withDay(days: readonly UsageDay[], { day, model, tokens }: CountedAnswer): UsageDay[] {
  const known = days.find((each) => each.day === day && each.model === model);
  if (known === undefined) return [...days, { day, model, requests: 1, tokens }];
  return days.map((each) => (each === known ? { ...each, requests: each.requests + 1, tokens: addTokens(each.tokens, tokens) } : each));
}

function withoutAnswer(days: readonly UsageDay[], { day, model, tokens }: RecentAnswer): readonly UsageDay[] {
  return days.flatMap((each) => {
    if (each.day !== day || each.model !== model) return [each];
    return each.requests <= 1 ? [] : [{ ...each, requests: each.requests - 1, tokens: tokensBeyond(each.tokens, tokens) }];
  });
}

/** The total usage of a session. */
export function usedTokens(record: Pick<UsageRecord, "days">): TokenCounts {
  return record.days.reduce((sum, { tokens }) => addTokens(sum, tokens), NO_TOKENS);
}
