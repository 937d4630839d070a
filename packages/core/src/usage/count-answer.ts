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

/** Agents rewrite a response within a few lines. */
const RECENT = 64;
/** Maximum number of remembered responses; the oldest are forgotten. */
const SEEN = 20_000;

/** The record with a response counted; the same record when nothing changes. */
export function countAnswer(record: UsageRecord, answer: CountedAnswer): UsageRecord {
  const before = record.recent.find(({ key }) => key === answer.key);
  if (before === undefined) return record.seen.includes(answer.key) ? record : withNew(record, answer);
  if (sameTokens(before.tokens, answer.tokens) && before.model === answer.model) return record;
  const now = { ...answer, day: before.day };
  const days = withDay(withoutAnswer(record.days, before), now);
  const recent = record.recent.map((each) => (each === before ? recentOf(now) : each));
  return { ...record, days, recent, context: answer.context ?? record.context };
}

function withNew(record: UsageRecord, answer: CountedAnswer): UsageRecord {
  return {
    ...record,
    days: withDay(record.days, answer),
    recent: [...record.recent, recentOf(answer)].slice(-RECENT),
    seen: (record.seen.length < SEEN ? record.seen : record.seen.slice(1 - SEEN)).concat(answer.key),
    context: answer.context ?? record.context,
  };
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
