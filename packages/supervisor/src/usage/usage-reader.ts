import type { LocateUsage, UsageSource } from "@tmpm/agents";
import type { SessionId, SessionRecord, UsageRecord } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";

/** Counts additions to the agents' records. */
export interface UsageReader {
  /** Reads the known files of a session, and searches for others if `seek`. True when something was counted or there is more to read. */
  read(record: SessionRecord, options: { readonly seek: boolean }): Promise<boolean>;
  /** Whether the size of a known file has changed. True before the first search for files. */
  hasNews(record: SessionRecord): boolean;
  /** Drops all sessions except these. */
  keepOnly(ids: ReadonlySet<SessionId>): void;
}

interface Checked {
  /** In bytes; null for a missing file. */
  readonly size: number | null;
  /** Number of consecutive checks with this size. */
  readonly times: number;
}

interface Followed {
  readonly conversation: string;
  readonly source: UsageSource;
  readonly locate: LocateUsage;
  readonly paths: readonly string[];
  /** The results of the last check, by path. */
  readonly checked: Map<string, Checked>;
}

/** Number of unchanged checks after which a file, such as that of a finished sub-agent, is not checked until the next search. Does not apply to the first, the conversation's own. */
const QUIET = 60;

/** The context is accessed later: the reader is a part of it. */
export function usageReader(context: () => Context): UsageReader {
  const followed = new Map<SessionId, Followed>();

  async function follow(record: SessionRecord, seek: boolean): Promise<Followed | null> {
    const ctx = context();
    const { id, conversation_id: conversationId } = record;
    const source = agentOf(ctx, record).usage;
    const known = followed.get(id);
    if (source === undefined || conversationId === null) return null;
    const same = known?.conversation === conversationId ? known : null;
    if (same !== null && !seek) return same;
    const locate = same?.locate ?? (await locateFor(ctx, { record, conversationId, source }));
    // The last entries of the previous conversation are still to be counted.
    const before = same === null ? (known?.paths ?? []) : [];
    const paths = [...new Set([...before, ...(await locate())])];
    const next = {
      conversation: conversationId,
      source,
      locate,
      paths,
      checked: new Map(paths.map((path) => [path, { size: source.sizeOf(path), times: 0 }])),
    };
    followed.set(id, next);
    return next;
  }

  return {
    async read(record, { seek }) {
      const ctx = context();
      const found = await follow(record, seek);
      if (found === null) return false;
      const before = ctx.usage.registry.of(record.id);
      const options = {
        nowMs: ctx.clock.now(),
        taken: ctx.usage.registry.takenFrom(record.id),
        counted: ctx.usage.registry.countedIn(record.id),
      };
      let counted: UsageRecord = before;
      let goesOn = false;
      for (const path of found.paths) {
        const read = found.source.count(counted, { ...options, path });
        counted = read.record;
        goesOn ||= read.more;
      }
      if (counted !== before) ctx.usage.registry.take(counted);
      return goesOn || counted !== before;
    },
    hasNews(record) {
      const found = followed.get(record.id);
      if (found === undefined || found.conversation !== record.conversation_id)
        return record.conversation_id !== null && agentOf(context(), record).usage !== undefined;
      return found.paths.some((path, index) => hasChanged(path, { ...found, always: index === 0 }));
    },
    keepOnly(ids) {
      for (const id of followed.keys()) if (!ids.has(id)) followed.delete(id);
    },
  };
}

interface Checking extends Pick<Followed, "source" | "checked"> {
  /** Check it regardless of `QUIET`. */
  readonly always: boolean;
}

function hasChanged(path: string, { source, checked, always }: Checking): boolean {
  const before = checked.get(path);
  if (before !== undefined && before.times >= QUIET && !always) return false;
  const size = source.sizeOf(path);
  const same = before?.size === size;
  checked.set(path, { size, times: same ? before.times + 1 : 0 });
  return !same;
}

interface Located {
  readonly record: SessionRecord;
  readonly conversationId: string;
  readonly source: UsageSource;
}

async function locateFor(
  ctx: Pick<Context, "hooks" | "launchEnvs" | "settings">,
  { record, conversationId, source }: Located,
): Promise<LocateUsage> {
  const env = { ...ctx.settings.sessionEnv, ...(await ctx.launchEnvs.of(record.id)) };
  return source.locate({ conversationId, env, folder: ctx.hooks?.folder(record.id) ?? null });
}
