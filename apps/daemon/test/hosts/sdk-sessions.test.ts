import { createHash } from "node:crypto";
import type { Step } from "@tmpm/supervisor";
import { describe, expect, test } from "vitest";
import { type SdkFixture, script, sdkFixture } from "./sdk-fixture.js";

const PATIENCE = { timeout: 40_000, interval: 40 };
const LONG_MS = 300_000;

/** Other cases are covered by tests of the parts: of a host without processes, and of agents without a supervisor. */
const full = Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10 || process.env.TMPM_TEST_HOSTS === "all";
function thorough(title: string, run: () => Promise<void>, ms: number): void {
  if (full) test(title, run, ms);
}

const until = (fixture: SdkFixture, state: string) => expect.poll(() => fixture.state(), PATIENCE).toBe(state);
const turns = async (fixture: SdkFixture) => (await fixture.sessions().turns({ session: "demo" })).map(({ turn }) => turn);

test(
  "a session without a terminal runs, answers, stops without leftovers, and resumes its conversation",
  async () => {
    await using fixture = await sdkFixture();
    await fixture.create({ prompt: "remember 42" });
    await expect.poll(async () => (await turns(fixture))[0]?.outcome, PATIENCE).toBe("completed");
    const [first] = await turns(fixture);
    expect(first?.final_message).toMatch(/^small read sha256 /u);
    expect((await fixture.sessions().show({ session: "demo" })).record).toMatchObject({ control: "Sdk", state: "active" });
    expect(await fixture.sessions().stop({ session: "demo" })).toMatchObject({
      survivors: [],
      session: { record: { exit: { status: 0 } } },
    });
    await fixture.sessions().resume({ session: "demo" });
    await until(fixture, "idle");
    expect((await fixture.lines())[0]).toBe("> remember 42");
    const { receipt } = await fixture.sessions().send({ session: "demo", text: "and?" });
    expect(receipt).toMatchObject({ outcome: "submitted", reason: "protocol", altered: null });
    await expect.poll(async () => (await turns(fixture)).map(({ outcome }) => outcome), PATIENCE).toEqual(["completed", "completed"]);
    expect(fixture.faults).toEqual([]);
  },
  LONG_MS,
);

thorough(
  "prompts of many senders arrive exactly, one turn at a time, in the order of their acceptance",
  async () => {
    await using fixture = await sdkFixture();
    await fixture.create();
    await until(fixture, "idle");
    const texts = Array.from({ length: 6 }, (_, index) => `prompt ${index}: /not a command @file\n\t漢字 🙂 ${"x".repeat(index * 1_000)}`);
    for (const text of texts) await fixture.sessions().send({ session: "demo", text, queue: true });
    await expect
      .poll(async () => (await turns(fixture)).filter(({ outcome }) => outcome === "completed").length, PATIENCE)
      .toBe(texts.length);
    const said = (await fixture.lines()).filter((line) => line.startsWith("small read"));
    expect(said).toEqual(
      texts.map((text) => `small read sha256 ${createHash("sha256").update(text).digest("hex")} of ${Buffer.byteLength(text)} bytes`),
    );
    expect((await turns(fixture)).map(({ outcome }) => outcome)).toEqual(texts.map(() => "completed"));
  },
  LONG_MS,
);

describe("a daemon that ends", () => {
  const steps: readonly Step[] = ["send.accepted", "send.pasting", "send.confirmed", "send.recorded"];
  test(
    `at ${steps.join(", ")} delivers the prompt exactly once`,
    async () => {
      await using fixture = await sdkFixture();
      await fixture.create();
      for (const [index, step] of steps.entries()) {
        await until(fixture, "idle");
        fixture.crashAt(step);
        const text = `prompt ${index}`;
        await fixture
          .sessions()
          .send({ session: "demo", text, idempotency_key: `k${index}` })
          .catch(() => "the daemon is gone");
        await fixture.next();
        const { receipt } = await fixture.sessions().send({ session: "demo", text, idempotency_key: `k${index}` });
        expect([step, receipt.outcome === "refused" ? receipt.reason : receipt.outcome]).toEqual([
          step,
          step === "send.pasting" ? "interrupted" : "submitted",
        ]);
        const wanted = step === "send.pasting" ? 0 : 1;
        await until(fixture, "idle");
        expect((await fixture.lines()).filter((line) => line === `> ${text}`)).toHaveLength(wanted);
      }
    },
    LONG_MS,
  );

  thorough(
    "during a launch leaves one agent, which the next daemon adopts",
    async () => {
      await using fixture = await sdkFixture();
      fixture.crashAt("create.opened");
      await fixture.create().catch(() => "the daemon is gone");
      await fixture.next();
      await until(fixture, "idle");
      const { record } = await fixture.sessions().show({ session: "demo" });
      expect(record).toMatchObject({ state: "active", intent: null, conversation_id: expect.any(String) });
    },
    LONG_MS,
  );

  test(
    "keeps open permission requests for the next daemon, including new ones, and does not answer any itself",
    async () => {
      await using fixture = await sdkFixture();
      await fixture.create();
      await until(fixture, "idle");
      await fixture.sessions().send({ session: "demo", text: script({ slowMs: 300, ask: ["make one", "make two"], say: "both" }) });
      await fixture.next();
      for (const subject of ["make one", "make two"]) {
        await expect.poll(async () => (await fixture.sessions().show({ session: "demo" })).decision?.subject, PATIENCE).toBe(subject);
        const { decision } = await fixture.sessions().show({ session: "demo" });
        const answered = await fixture.sessions().answer({ session: "demo", decision_id: decision?.id ?? "", answer: { kind: "approve" } });
        expect(answered).toMatchObject({ outcome: "answered", answer: "Allow once" });
      }
      await expect.poll(async () => (await turns(fixture))[0], PATIENCE).toMatchObject({ outcome: "completed", final_message: "both" });
      expect((await fixture.lines()).filter((line) => line.startsWith("    ran"))).toEqual(["    ran make one", "    ran make two"]);
    },
    LONG_MS,
  );
});

thorough(
  "an agent that exits during its turn leaves a stopped session with exit status and last output, and its turn has an outcome",
  async () => {
    await using fixture = await sdkFixture();
    await fixture.create();
    await until(fixture, "idle");
    await fixture.sessions().send({ session: "demo", text: script({ crash: true }) });
    await until(fixture, "exited");
    const { record } = await fixture.sessions().show({ session: "demo" });
    expect(record).toMatchObject({ state: "stopped", stop_cause: "unexpected", exit: { status: 7 } });
    expect(record.last_lines.at(-1)).toBe("! the agent printed: a fault of mine");
    await expect
      .poll(async () => (await turns(fixture))[0], PATIENCE)
      .toMatchObject({ state: "ended", outcome: "failed", reason: "session_exited" });
  },
  LONG_MS,
);

thorough(
  "a cancelled turn is interrupted, and one that does not stop is reported",
  async () => {
    await using fixture = await sdkFixture();
    await fixture.create();
    await until(fixture, "idle");
    await fixture.sessions().send({ session: "demo", text: script({ ask: ["rm -rf /"], slowMs: 600_000 }) });
    await until(fixture, "awaiting_approval");
    const { turn } = await fixture.sessions().cancel({ session: "demo" });
    expect(turn).toMatchObject({ outcome: "cancelled", cause: "client_rpc" });
    expect((await fixture.sessions().show({ session: "demo" })).decision).toBeNull();
    await fixture.sessions().send({ session: "demo", text: script({ deafMs: 4_000 }) });
    await until(fixture, "working");
    expect((await fixture.sessions().cancel({ session: "demo", grace_ms: 300 })).turn).toMatchObject({ outcome: "cancelled" });
    await until(fixture, "idle");
  },
  LONG_MS,
);
