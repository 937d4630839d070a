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
  /** Drops all sessions except these, and stops listening for changes of their files. */
  keepOnly(ids: ReadonlySet<SessionId>): void;
}

interface Checked {
  /** In bytes; null for a missing file. */
  readonly size: number | null;
  /** Number of consecutive checks with this size. */
  readonly times: number;
  /** Listens for the next change; null without it. */
  readonly listener: { close(): void } | null;
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
/** Likewise for the conversation's own file, which from then on is checked only in every tenth round where its next change is reported. */
const RESTING = 10;

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
    const checked = same?.checked ?? new Map<string, Checked>();
    if (same === null) forget(id);
    for (const [path, { listener }] of checked) {
      if (paths.includes(path)) continue;
      listener?.close();
      checked.delete(path);
    }
    for (const [index, path] of paths.entries()) {
      checked.set(path, searched(path, { source, before: checked.get(path), isOwn: index === 0 }));
    }
    const next = { conversation: conversationId, source, locate, paths, checked };
    followed.set(id, next);
    return next;
  }

  function forget(id: SessionId): void {
    for (const { listener } of followed.get(id)?.checked.values() ?? []) listener?.close();
    followed.delete(id);
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
      for (const id of followed.keys()) if (!ids.has(id)) forget(id);
    },
  };
}

interface Searched extends Pick<Followed, "source"> {
  readonly before: Checked | undefined;
  /** The conversation's own file. */
  readonly isOwn: boolean;
}

/** A file that is about to be read. */
function searched(path: string, { source, before, isOwn }: Searched): Checked {
  const size = source.sizeOf(path);
  if (isOwn && before?.size === size) return before;
  before?.listener?.close();
  return { size, times: 0, listener: null };
}

interface Checking extends Pick<Followed, "source" | "checked"> {
  /** Check it regardless of `QUIET`. */
  readonly always: boolean;
}

function hasChanged(path: string, { source, checked, always }: Checking): boolean {
  const before = checked.get(path);
  const isQuiet = before !== undefined && before.times >= (always ? RESTING : QUIET);
  if (isQuiet && !always) return false;
  const isDue = !isQuiet || before.times % RESTING === 0;
  if (!isDue && before.listener !== null) {
    checked.set(path, { ...before, times: before.times + 1 });
    return false;
  }
  const wake = () => void checked.set(path, { size: before?.size ?? null, times: 0, listener: null });
  // Before its size is read, so that no change is missed.
  const listener = isQuiet && isDue ? (before.listener ?? source.atChange(path, wake)) : null;
  const size = source.sizeOf(path);
  const same = before?.size === size;
  if (!same) listener?.close();
  checked.set(path, { size, times: same ? before.times + 1 : 0, listener: same ? listener : null });
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
