import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, type Fixture, fixture } from "../fixture.js";

/** Memory of the daemon after a collection. */
export interface Memory {
  readonly heapUsed: number;
  readonly rss: number;
  readonly descriptors: number;
  readonly resources: number;
}

export interface Soak extends AsyncDisposable {
  readonly fixture: Fixture;
  /** Creates a session, sends it a prompt, stops it and forgets it, `count` times. */
  cycles(count: number): Promise<void>;
  /** After a collection. */
  memory(): Promise<Memory>;
}

/** Sessions that are created, used and ended at the same time. */
const LANES = 10;

export async function soak(snapshots?: string): Promise<Soak> {
  const before = await fixture();
  const report = join(before.dir, "memory.json");
  const probe = `--require ${join(import.meta.dirname, "probe.cjs")}`;
  const env = { NODE_OPTIONS: probe, TMPM_TEST_MEMORY_REPORT: report };
  const started = await before.tmpm(["daemon", "start"], {
    env: { ...env, ...(snapshots === undefined ? {} : { TMPM_TEST_MEMORY_SNAPSHOTS: snapshots }) },
  });
  if (started.code !== 0) {
    await before[Symbol.asyncDispose]();
    throw new Error(`the daemon did not start: ${started.stderr}`);
  }
  const { api } = before;
  const pid = await before.daemonPid();
  let asked = 0;
  let done = 0;

  async function cycle(): Promise<void> {
    done += 1;
    const number = done;
    const made = await api.create({ agent: "command", argv: ["cat"], name: `s${number}`, cwd: before.dir }, { key: `new-${number}` });
    await api.send({ session: made.id, text: `line ${number}`, idempotency_key: `send-${number}` });
    await api.stop({ session: made.id }, { key: `stop-${number}` });
    await api.delete({ session: made.id, purge: true });
  }

  /** Most of a cycle is spent waiting for a program to start. */
  async function lane({ until, failed }: { readonly until: number; readonly failed: AbortController }): Promise<void> {
    try {
      while (done < until && !failed.signal.aborted) await cycle();
    } catch (error) {
      failed.abort();
      throw error;
    }
  }

  return {
    fixture: before,
    async cycles(count) {
      const until = done + count;
      const failed = new AbortController();
      const ends = await Promise.allSettled(Array.from({ length: LANES }, () => lane({ until, failed })));
      // Only now, because a daemon that is still creating sessions cannot be cleaned up.
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
    async memory() {
      asked += 1;
      process.kill(pid, "SIGUSR2");
      return eventually(async () => {
        const measured = JSON.parse(await readFile(report, "utf8").catch(() => "null")) as (Memory & { readonly count: number }) | null;
        return measured?.count === asked ? measured : null;
      });
    },
    [Symbol.asyncDispose]: () => before[Symbol.asyncDispose](),
  };
}
