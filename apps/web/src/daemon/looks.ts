import type { SessionAnswer, SessionList } from "@tmpm/api";
import { hasCode, isTmpmError } from "@tmpm/core/errors";

export interface LooksOptions {
  readonly list: () => Promise<SessionList>;
  readonly show: (id: string) => Promise<SessionAnswer>;
  readonly listed: (list: SessionList) => void;
  readonly seen: (session: SessionAnswer) => void;
  readonly gone: (id: string) => void;
  readonly failed: (error: unknown) => void;
  readonly pause: (ms: number) => Promise<void>;
}

export interface Looks {
  all(): void;
  at(session: string): void;
}

/** More sessions than this are asked for together. */
const ONE_BY_ONE = 4;
const GATHER_MS = 40;

/** Looks at sessions of which something was heard: what comes within a moment is looked at together, and one look at a time is enough. */
export function gatheredLooks(options: LooksOptions): Looks {
  let wanted = new Set<string>();
  let everything = false;
  let running = false;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    try {
      while (everything || wanted.size > 0) await gather();
    } catch (error) {
      options.failed(error);
    } finally {
      running = false;
    }
  }

  async function gather(): Promise<void> {
    await options.pause(GATHER_MS);
    const [ids, all] = [wanted, everything || wanted.size > ONE_BY_ONE];
    [wanted, everything] = [new Set(), false];
    if (all) return options.listed(await options.list());
    await Promise.all([...ids].map(lookAt));
  }

  async function lookAt(id: string): Promise<void> {
    try {
      options.seen(await options.show(id));
    } catch (error) {
      if (!isTmpmError(error) || !hasCode(error, "SESSION_NOT_FOUND")) throw error;
      options.gone(id);
    }
  }

  return {
    all() {
      everything = true;
      void run();
    },
    at(session) {
      wanted.add(session);
      void run();
    },
  };
}
