/** The program of the processes that the tests start: one JSON job in argv, one line of output for each action. */
import { appendFileSync, closeSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCode, type SessionRecord } from "@tmpm/core";
import { sampleRecord } from "../src/contract/sample-record.js";
import { nodeWriteCalls, type WriteCalls } from "../src/durable/write-durably.js";
import { directoryStore, singleFileStore } from "../src/index.js";
import type { SessionStore } from "../src/store.js";
import type { Job } from "./worker.js";

const job = JSON.parse(process.argv[2] ?? "null") as Job;

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

function outcome(error: unknown): unknown {
  return hasCode(error, "INTERNAL") || !(error instanceof Error) || !("code" in error)
    ? { thrown: String(error) }
    : { code: error.code, effect: "effect" in error ? error.effect : null, details: "details" in error ? error.details : null };
}

async function attempt<T>(task: () => Promise<T>): Promise<unknown> {
  try {
    return { ok: await task() };
  } catch (error) {
    return outcome(error);
  }
}

function storeAt(base: string, options: { readonly writeCalls?: WriteCalls } = {}): SessionStore {
  return job.layout === "single-file" ? singleFileStore({ path: base, ...options }) : directoryStore({ base, ...options });
}

/** Once armed, dies in the nth of the named calls, as after a kill -9. */
function dyingCalls(call: keyof WriteCalls, nth: number) {
  let left = Number.POSITIVE_INFINITY;
  const real: (...args: never[]) => unknown = nodeWriteCalls[call];
  const dying = (...args: never[]) => {
    if (--left > 0) return real(...args);
    process.kill(process.pid, "SIGKILL");
    return new Promise<never>(() => undefined);
  };
  return {
    writeCalls: { ...nodeWriteCalls, [call]: dying },
    arm() {
      left = nth;
    },
  };
}

function appended(current: SessionRecord, line: string): SessionRecord {
  return { ...current, last_lines: [...current.last_lines.slice(-20), line] };
}

async function increment(base: string, { id, times }: { id: string; times: number }): Promise<void> {
  const store = storeAt(base);
  for (let done = 0; done < times; done++) {
    await store.update(id, (current) => ({ ...current, counter: Number(current.counter ?? 0) + 1 }));
  }
  say("done");
}

/** Prints each revision once it is acknowledged, until it is killed. */
async function hammer(base: string, id: string): Promise<void> {
  const store = storeAt(base);
  const padding = "x".repeat(20_000);
  for (;;) {
    const { rev } = await store.update(id, (current) => appended({ ...current, padding }, String(current.rev)));
    say(rev);
  }
}

async function probe(base: string, id: string): Promise<void> {
  const store = directoryStore({ base });
  const listed = await attempt(async () => (await store.list()).map((entry) => entry.kind));
  const updated = await attempt(async () => (await store.update(id, (current) => ({ ...current, task: "probe" }))).rev);
  const created = await attempt(async () => (await store.create(sampleRecord(50))).rev);
  say({ listed, updated, created, health: store.health().state });
}

/** Behaviour of a store with a known record when the descriptors are exhausted, and after they are available again. */
async function exhaust(base: string, id: string): Promise<void> {
  const hourAhead = () => Date.now() + 3_600_000;
  const store = directoryStore({ base, clock: hourAhead });
  const tasks = async () => (await store.list()).map((entry) => (entry.kind === "session" ? entry.record.task : entry.kind));
  await tasks();
  const path = join(base, "default", `${id}.json`);
  writeFileSync(path, JSON.stringify(sampleRecord(1, { task: "edited" })));
  const taken: number[] = [];
  const full = await attempt(async () => {
    for (;;) taken.push(openSync("/dev/null", "r"));
  });
  const listed = await attempt(tasks);
  const health = store.health().state;
  const updated = await attempt(async () => (await store.update(id, (current) => ({ ...current, task: "full" }))).rev);
  for (const fd of taken) closeSync(fd);
  say({ full, listed, health, updated, after: await attempt(tasks), healthAfter: store.health().state });
}

/** Effect of a full disk on a store; the store continues when there is space again. */
async function fill(base: string, id: string): Promise<void> {
  const store = directoryStore({ base });
  await store.create(sampleRecord(1));
  const ballast = `${base}.ballast`;
  const full = await attempt(async () => {
    for (;;) appendFileSync(ballast, "x".repeat(512));
  });
  const task = "t".repeat(9_000);
  const updated = await attempt(async () => (await store.update(id, (current) => ({ ...current, task }))).rev);
  const created = await attempt(async () => (await store.create(sampleRecord(2, { task }))).rev);
  const listed = await attempt(async () => (await store.list()).map((entry) => entry.kind));
  const temporaries = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tmp")).length;
  rmSync(ballast);
  const after = await attempt(async () => (await store.update(id, (current) => ({ ...current, task }))).rev);
  say({ full, updated, created, listed, temporaries, after, health: store.health().state });
}

/** Changes one record repeatedly, and prints the outcome of each attempt. */
async function tryUpdates(base: string, { id, times }: { id: string; times: number }): Promise<void> {
  const store = directoryStore({ base });
  for (let done = 0; done < times; done++) {
    say(
      await attempt(async () => (await store.update(id, (current) => appended({ ...current, padding: "y".repeat(3_000) }, `${done}`))).rev),
    );
  }
  say("done");
}

async function run(): Promise<void> {
  switch (job.do) {
    case "increment":
      return increment(job.base, job);
    case "hammer":
      return hammer(job.base, job.id);
    case "probe":
      return probe(job.base, job.id);
    case "exhaust":
      return exhaust(job.base, job.id);
    case "fill":
      return fill(job.base, job.id);
    case "try-updates":
      return tryUpdates(job.base, job);
    case "die-in": {
      const { writeCalls, arm } = dyingCalls(job.call, job.nth ?? 1);
      const store = storeAt(job.base, { writeCalls });
      await store.update(job.id, (current) => current);
      arm();
      await store.update(job.id, (current) => ({ ...current, task: "never" }));
    }
  }
}

await run();
