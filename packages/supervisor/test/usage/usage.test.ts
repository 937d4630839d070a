import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type AgentAdapter, type UsageSource, usageSource } from "@tmpm/agents";
import { type EventBody, NO_TOKENS, parseGrant, type SessionRecord, type TokenCounts, type UsageRecord, usedTokens } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Context } from "../../src/context.js";
import type { CreateInput } from "../../src/operations/create.js";
import { usageReader } from "../../src/usage/usage-reader.js";
import { usageRegistry } from "../../src/usage/usage-registry.js";
import { fixture } from "../fixtures/fixture.js";
import { randomly } from "../fixtures/randomly.js";
import { turnAgent } from "../fixtures/turn-agent.js";
import { turnProgram } from "../fixtures/turn-program.js";
import { outcome, submit } from "../fixtures/turn-steps.js";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-usage-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A line `key model input output` for each answer. */
function source(paths: (conversation: string) => readonly string[]): UsageSource {
  return usageSource({
    locate:
      ({ conversationId }) =>
      async () =>
        paths(conversationId),
    read(line, state) {
      const [key = "", model = "", input, output] = line.split(" ");
      const tokens = { ...NO_TOKENS, input: Number(input), output: Number(output) };
      return { state, answer: { key, atMs: Date.UTC(2026, 10, 28), model, tokens, context: { tokens: Number(input), limit: 1000 } } };
    },
  });
}

async function counting() {
  const dir = folder();
  const written: string[] = [];
  const usage = source((conversation) => [join(dir, conversation)]);
  const agent: AgentAdapter = {
    ...turnAgent,
    id: "counter",
    title: "Counter",
    usage,
    launch: async ({ newId, conversationId }) => ({
      argv: ["turn-agent"],
      env: {},
      conversationId: conversationId ?? `c-${newId()}`,
      carriesPrompt: false,
    }),
  };
  const documents = memoryDocuments<UsageRecord>();
  const answers: string[] = [];
  const each = fixture({
    adapters: [agent],
    ports: { usageStore: documents },
    settings: { autoResume: false },
    programs: { "turn-agent": turnProgram(() => void written.push(...answers.splice(0))) },
  });
  const { record } = await each.sessions.create({ agent: "counter", cwd: "/w", name: "demo" }).then(({ session }) => session);
  const file = join(dir, record.conversation_id ?? "");
  return { ...each, file, record, documents };
}

test("the end of a turn reports its usage, and the record and responses have the sum", async () => {
  const each = await counting();
  writeFileSync(each.file, "a m 10 1\na m 10 2\n");
  await outcome(each.sessions, await submit(each, "work 1000"));
  appendFileSync(each.file, "b m 20 3\nc other 5 0\n");
  await outcome(each.sessions, await submit(each, "work 1000"));
  const counted = each.events.filter(({ type }) => type === "usage_counted");
  expect(counted).toMatchObject([
    { used: { input: 10, output: 2 }, total: { input: 10, output: 2 }, context: { tokens: 10, limit: 1000 } },
    { used: { input: 25, output: 3 }, total: { input: 35, output: 5 } },
  ]);
  const order = each.events.map(({ type }) => type).filter((type) => type === "usage_counted" || type === "turn_ended");
  expect(order).toEqual(["usage_counted", "turn_ended", "usage_counted", "turn_ended"]);
  const { record, usage } = await each.sessions.show({ session: "demo" });
  expect(record.cost).toMatchObject({ input_tokens: 35, output_tokens: 5, cost_usd: null });
  expect(usage).toMatchObject({ tokens: { input: 35 }, context: { tokens: 5, limit: 1000 } });
  const { groups } = await each.sessions.usage({});
  expect(groups).toMatchObject([
    {
      name: "demo",
      models: [
        { model: "m", requests: 2, tokens: { input: 30, output: 5 } },
        { model: "other", requests: 1 },
      ],
    },
  ]);
  expect((await each.sessions.usage({ by: "day", since: "2026-11-28" })).groups).toMatchObject([{ key: "2026-11-28" }]);
  expect((await each.sessions.usage({ by: "day", since: "2026-11-29" })).groups).toEqual([]);
  await expect(each.sessions.usage({ since: "2026-02-30" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("counted usage survives the transcript and a restart, and is deleted with the session", async () => {
  const each = await counting();
  writeFileSync(each.file, "a m 10 1\n");
  await outcome(each.sessions, await submit(each, "work 1000"));
  rmSync(each.file);
  await each.sessions.close();
  const again = each.restarted();
  expect((await again.usage({ session: "demo" })).groups).toMatchObject([{ models: [{ tokens: { input: 10, output: 1 } }] }]);
  await again.stop({ session: "demo" });
  await again.delete({ session: "demo", purge: true });
  expect((await each.documents.all()).documents.size).toBe(0);
});

test("the last records before an agent ends are counted, even if no daemon was running", async () => {
  const each = await counting();
  async function counted(sessions: typeof each.sessions, input: number): Promise<void> {
    const untilMs = each.tmux.now() + 600_000;
    const now = async () => (await sessions.usage({ session: "demo" })).groups[0]?.models[0]?.tokens.input ?? 0;
    while (each.tmux.now() < untilMs && (await now()) !== input) await new Promise(setImmediate);
    expect(await now()).toBe(input);
  }
  await each.sessions.start();
  await each.sessions.stop({ session: "demo" });
  writeFileSync(each.file, "a m 10 1\n");
  await counted(each.sessions, 10);

  await each.sessions.resume({ session: "demo" });
  await each.sessions.close();
  appendFileSync(each.file, "b m 20 1\n");
  each.tmux.killServer();
  const again = each.restarted();
  await again.start();
  await counted(again, 30);
  await again.close();
});

test("a response is not counted again in a fork, even if many are read at once", async () => {
  const each = await counting();
  writeFileSync(each.file, "first m 1 1\n");
  await outcome(each.sessions, await submit(each, "work 1000"));
  const lines = Array.from({ length: 300 }, (_, i) => `k${i} m 1 1\n`).join("");
  appendFileSync(each.file, lines);
  await outcome(each.sessions, await submit(each, "work 1000"));
  const { session } = await each.sessions.create({ agent: "counter", cwd: "/w", name: "fork" });
  writeFileSync(join(dirname(each.file), session.record.conversation_id ?? ""), `${lines}new m 5 1\n`);
  await outcome(each.sessions, await submit(each, "work 1000", "fork"));
  expect((await each.sessions.usage({ session: "fork" })).groups).toMatchObject([{ models: [{ tokens: { input: 5 } }] }]);
});

describe("budget", () => {
  const reached = (each: Awaited<ReturnType<typeof counting>>) =>
    each.events.flatMap((event) =>
      event.type === "budget_reached" ? [`${event.budget} ${event.percent} ${event.used}/${event.limit}`] : [],
    );

  test("reports at 80 and 100 percent, once each, holds prompts then, and releases them when raised", async () => {
    const each = await counting();
    await each.sessions.set({ session: "demo", budget: { tokens: 100, turns: 9 } });
    writeFileSync(each.file, "a m 79 0\n");
    await outcome(each.sessions, await submit(each, "work 1000"));
    expect(reached(each)).toEqual([]);
    appendFileSync(each.file, "b m 1 0\n");
    await outcome(each.sessions, await submit(each, "work 1000"));
    expect(reached(each)).toEqual(["tokens 80 80/100"]);
    appendFileSync(each.file, "c m 20 5\n");
    await outcome(each.sessions, await submit(each, "work 1000"));
    expect(reached(each)).toEqual(["tokens 80 80/100", "tokens 100 105/100"]);
    const waiting = await submit(each, "work 1000");
    const held = await each.sessions.turn({ session: "demo", turn: waiting.turn.id, wait_ms: 5_000 });
    expect(held).toMatchObject({ state: "queued", held: { reason: "budget", evidence: ["its budget is used up: 105 of 100 tokens"] } });
    expect((await each.sessions.show({ session: "demo" })).record.state).toBe("active");
    await each.sessions.set({ session: "demo", budget: { tokens: 1_000 } });
    expect((await outcome(each.sessions, waiting)).outcome).toBe("completed");
    const { record } = await each.sessions.show({ session: "demo" });
    expect(record.budget).toMatchObject({ tokens: 1_000, turns: 9, minutes: null });
    await each.sessions.set({ session: "demo", budget: { tokens: null, turns: null } });
    expect((await each.sessions.show({ session: "demo" })).record.budget).toBeNull();
  });

  test("counts turns and their minutes, even without token counts", async () => {
    const each = await counting();
    await each.sessions.set({ session: "demo", budget: { turns: 2, minutes: 1 } });
    for (let turn = 0; turn < 2; turn++) await outcome(each.sessions, await submit(each, "work 40000"));
    expect(reached(each)).toEqual(["turns 100 2/2", "minutes 100 1/1"]);
    expect((await each.sessions.send({ session: "demo", text: "more", timeout_ms: 100 })).receipt).toMatchObject({
      outcome: "refused",
      reason: "budget",
    });
    expect((await each.sessions.send({ session: "demo", text: "work 10", now: true })).receipt.outcome).toBe("submitted");
  });
});

describe("budget of several sessions", () => {
  /** The root and a descendant, of the same project. */
  async function family() {
    const each = await counting();
    const { sessions } = each;
    await sessions.addProject({ path: "/w", id: "api" });
    await sessions.set({ session: "demo", project_id: "api", grant: parseGrant("tree") });
    const start = (input: Partial<CreateInput>) => sessions.create({ agent: "counter", cwd: "/w", ...input });
    const { session } = await start({ actor: each.record.id, name: "child" });
    const childFile = join(dirname(each.file), session.record.conversation_id ?? "");
    return { ...each, start, childFile };
  }

  const reached = (events: readonly EventBody[]) =>
    events.flatMap((event) => (event.type === "budget_reached" ? [`${event.scope} ${event.percent} ${event.used}/${event.limit}`] : []));

  test("of a lineage holds every queue in it, and prevents new sessions in it", async () => {
    const { sessions, events, start, childFile } = await family();
    await sessions.set({ session: "demo", lineage_budget: { tokens: 100 } });
    writeFileSync(childFile, "a m 85 0\n");
    await outcome(sessions, await submit({ sessions }, "work 1000", "child"));
    expect(reached(events)).toEqual(["lineage 80 85/100"]);
    appendFileSync(childFile, "b m 15 0\n");
    await outcome(sessions, await submit({ sessions }, "work 1000", "child"));
    expect(reached(events)).toEqual(["lineage 80 85/100", "lineage 100 100/100"]);
    for (const session of ["demo", "child"]) {
      const { turn } = await submit({ sessions }, "work 1000", session);
      expect((await sessions.turn({ session, turn: turn.id, wait_ms: 5_000 })).held).toMatchObject({
        reason: "budget",
        evidence: ["the budget of the lineage of demo is used up: 100 of 100 tokens"],
        hint: expect.stringContaining("tmpm set demo --lineage-tokens N"),
      });
    }
    const spent = { scope: "lineage", name: "demo", uses: [{ kind: "tokens", used: 100, limit: 100, reached: 100 }] };
    expect((await sessions.usage({ session: "child" })).budgets).toMatchObject([spent]);
    const { record } = await sessions.show({ session: "demo" });
    await expect(start({ actor: record.id })).rejects.toMatchObject({ code: "LINEAGE_LIMIT", details: { limit: "budget" } });
    await sessions.set({ session: "demo", lineage_budget: { tokens: null } });
    expect((await start({ actor: record.id })).session.record.state).toBe("active");
  });

  test("of a project includes finished sessions, and holds the first prompt of a new one", async () => {
    const { sessions, events, start, file, childFile } = await family();
    await sessions.setProject({ project: "api", budget: { turns: 2 } });
    writeFileSync(file, "a m 1 0\n");
    writeFileSync(childFile, "b m 1 0\n");
    await outcome(sessions, await submit({ sessions }, "work 1000", "child"));
    await sessions.stop({ session: "child" });
    await sessions.delete({ session: "child" });
    await outcome(sessions, await submit({ sessions }, "work 1000"));
    expect(reached(events)).toEqual(["project 100 2/2"]);
    const { receipt } = await start({ prompt: "work 1000", name: "late" });
    expect(receipt).toMatchObject({ outcome: "held", reason: "budget", evidence: ["the budget of project api is used up: 2 of 2 turns"] });
    await sessions.setProject({ project: "api", budget: { turns: 3 } });
    await sessions.set({ session: "late", budget: { minutes: 9 } });
    expect((await sessions.usage({})).budgets).toMatchObject([
      { scope: "project", name: "api", uses: [{ kind: "turns", used: 2, limit: 3 }] },
      { scope: "session", name: "late", uses: [{ kind: "minutes", used: 0, limit: 9 }] },
    ]);
    expect((await sessions.usage({ project_id: "default" })).budgets).toEqual([]);
    expect((await sessions.projects())[0]?.project.budget).toEqual({ tokens: null, turns: 3, minutes: null });
    await expect(sessions.setProject({ project: "other", budget: {} })).rejects.toMatchObject({ code: "PROJECT_NOT_FOUND" });
  });
});

describe("crash at any moment", () => {
  interface Machine {
    readonly kept: ReturnType<typeof memoryDocuments<UsageRecord>>;
    readonly read: () => Promise<void>;
    readonly book: ReturnType<typeof usageRegistry>;
  }

  /** A daemon at its start: it knows only the stored data. */
  async function machine(kept: Machine["kept"], paths: readonly string[]): Promise<Machine> {
    const book = usageRegistry({
      documents: kept,
      now: () => "2026-11-28T00:00:00Z",
      report: ({ error }) => expect.unreachable(String(error)),
    });
    await book.load();
    const agent = { ...turnAgent, usage: source(() => paths) };
    // The reader uses no other part of its context.
    const ctx = {
      usage: { registry: book },
      clock: { now: () => 0 },
      agent: () => agent,
      host: { own: [] },
      settings: { sessionEnv: {} },
      launchEnvs: { of: async () => ({}) },
    } as unknown as Context;
    const reader = usageReader(() => ctx);
    const record = { id: "00000000-0000-4000-8000-000000000001", conversation_id: "c", agent: "a", control: "Tmux" } as SessionRecord;
    return { kept, book, read: async () => void (await reader.read(record, { seek: true })) };
  }

  test("loses and duplicates nothing, in 100 random lives", async () => {
    const random = randomly();
    for (let life = 0; life < random.rounds(100); life++) {
      const path = join(folder(), "transcript");
      const kept = memoryDocuments<UsageRecord>();
      writeFileSync(path, "");
      let daemon = await machine(kept, [path]);
      let expected: TokenCounts = NO_TOKENS;
      let written = "";
      for (let step = 0; step < 30; step++) {
        const chance = random.below(10);
        if (chance < 5) {
          const output = random.below(50);
          expected = { ...expected, input: expected.input + 7, output: expected.output + output };
          written += `k${step} m 7 ${output}\nk${step} m 7 ${output}\n`;
          // A line may be incomplete when it is read.
          const cut = random.below(written.length);
          appendFileSync(path, written.slice(0, cut));
          written = written.slice(cut);
        } else if (chance < 7) await daemon.read();
        else if (chance < 9) {
          daemon.book.write();
          await daemon.book.drained();
        } else daemon = await machine(kept, [path]);
      }
      appendFileSync(path, written);
      daemon = await machine(kept, [path]);
      await daemon.read();
      expect(usedTokens(daemon.book.of("00000000-0000-4000-8000-000000000001")), `life ${life}`).toEqual(expected);
    }
  });
});
