import { keyedQueue, type PullRequestWatch } from "@tmpm/core";
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

export function pullRequestRegistry(documents: DocumentStore<PullRequestWatch>): PullRequestRegistry {
  const writing = keyedQueue();
  const unsubmitted = new Set<string>();
  let known: Map<string, PullRequestWatch> | null = null;
  const load = async () => {
    known ??= new Map((await documents.all()).documents);
    return known;
  };
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
