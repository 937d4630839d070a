import { keyedQueue, onceDone, type PullRequestWatch } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";

/** The pull requests of sessions, by session. Changes to one are sequential, and durable before they return. */
export interface PullRequestRegistry {
  of(session: string): Promise<PullRequestWatch | null>;
  all(): Promise<ReadonlyMap<string, PullRequestWatch>>;
  change(session: string, change: (watch: PullRequestWatch | null) => PullRequestWatch): Promise<PullRequestWatch>;
  /** Like `change` for an existing one; null once it was dropped. Nothing is written then, or if `change` returns the same object. */
  amend(session: string, change: (watch: PullRequestWatch) => PullRequestWatch): Promise<PullRequestWatch | null>;
  forget(session: string): Promise<void>;
  /** Sessions with a recorded prompt that was certainly not submitted: later news may join it. In this process. */
  readonly unsubmitted: Set<string>;
  /** Serializes looks at a session's pull request. */
  readonly looking: ReturnType<typeof keyedQueue>;
}

export interface PullRequestRegistryOptions {
  readonly documents: DocumentStore<PullRequestWatch>;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

export function pullRequestRegistry({ documents, report }: PullRequestRegistryOptions): PullRequestRegistry {
  const writing = keyedQueue();
  const unsubmitted = new Set<string>();
  const load = onceDone(async () => {
    const { documents: kept, damaged } = await documents.all();
    for (const { path, reason } of damaged) report({ doing: `reading the pull request in ${path}`, error: new Error(reason) });
    return new Map(kept);
  });
  async function put(session: string, watch: PullRequestWatch): Promise<PullRequestWatch> {
    await documents.put(session, watch);
    (await load()).set(session, watch);
    return watch;
  }
  return {
    unsubmitted,
    looking: keyedQueue(),
    of: async (session) => (await load()).get(session) ?? null,
    all: load,
    change: (session, change) => writing.run(session, async () => put(session, change((await load()).get(session) ?? null))),
    amend: (session, change) =>
      writing.run(session, async () => {
        const watch = (await load()).get(session);
        if (watch === undefined) return null;
        const changed = change(watch);
        return changed === watch ? watch : put(session, changed);
      }),
    forget: (session) =>
      writing.run(session, async () => {
        unsubmitted.delete(session);
        await documents.delete(session);
        (await load()).delete(session);
      }),
  };
}
