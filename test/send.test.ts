import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { CreateAnswer, KeptSend, SendAnswer, SessionAnswer, WaitAnswer } from "@tmpm/api";
import type { SendEntry } from "@tmpm/core";
import { expect, test } from "vitest";
import { eventually, isAlive, type World, world } from "./world.js";

const AGENT = resolve(import.meta.dirname, "../packages/supervisor/test/agents/scripted-agent.mjs");

/** A user whose `claude` is a scripted agent that draws as Claude Code does and keeps a digest of every prompt. */
async function withAgent(behaviour: Readonly<Record<string, unknown>>): Promise<World & { taken(): Promise<readonly string[]> }> {
  const w = await world();
  const bin = join(w.home, "..", "bin");
  const log = join(w.dir, "taken.jsonl");
  await mkdir(bin);
  await writeFile(join(bin, "claude"), `#!${process.execPath}\nimport(${JSON.stringify(AGENT)});\n`);
  await chmod(join(bin, "claude"), 0o755);
  await writeFile(log, "");
  await writeFile(join(w.dir, "agent.json"), JSON.stringify({ ...behaviour, log }));
  const env = { PATH: `${bin}:${w.env.PATH}` };
  await w.json<CreateAnswer>(["new", "--agent", "claude", "--name", "demo"], { env });
  await w.json(["wait", "demo", "--for", "idle,blocked", "--timeout", "30"]);
  return {
    ...w,
    async taken() {
      const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line).sha256);
    },
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What the next daemon made of a send, once that does not change any more. */
async function concluded(w: World, key: string): Promise<KeptSend> {
  await w.tmpm(["send", "demo", "--receipt", key, "--json"]);
  return eventually(async () => {
    const kept = await w.api.receipt({ session: "demo", send: key });
    return kept.done ? kept : null;
  }, 30_000);
}

/** One of the later ones besides the first, as the seed says, and all of them at full scale; the supervisor's own tests have every one. */
const STATES =
  Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10
    ? ["send.accepted", "send.pasting", "send.pasted", "send.entering", "send.entered", "send.confirmed"]
    : ["send.accepted", ["send.pasted", "send.entered"][Number(process.env.TMPM_TEST_SEED ?? 0) % 2] ?? ""];

test("a daemon killed in every state of a delivery: each prompt is taken once or is said not to have been", {
  timeout: 300_000,
}, async () => {
  await using w = await withAgent({ dropEnterMs: 50 });
  const taken: string[] = [];
  for (const state of STATES) {
    await w.tmpm(["daemon", "stop"]);
    await w.tmpm(["daemon", "start"], { env: { TMPM_FAILPOINT: `${state}:kill` } });
    const pid = await w.daemonPid();
    const text = `prompt of ${state};\nsecond line`;
    expect((await w.tmpm(["send", "demo", "--key", state, "-"], { input: text })).code, state).not.toBe(0);
    await eventually(async () => ((await isAlive(pid)) ? null : true));
    const { receipt } = await concluded(w, state);
    expect([state, receipt.outcome, receipt.reason]).toEqual([
      state,
      ...(state === "send.pasting" ? ["refused", "interrupted"] : ["submitted", "screen"]),
    ]);
    if (receipt.outcome === "submitted") taken.push(digest(text));
    const again = await w.tmpm(["send", "demo", "--key", state, "-", "--json"], { input: text });
    expect(JSON.parse(again.stdout).receipt).toEqual(receipt);
  }
  expect(await w.taken()).toEqual(taken);
});

test("a send whose caller lost the answer before anything was typed is refused, and its text is kept nowhere", {
  timeout: 120_000,
}, async () => {
  await using w = await withAgent({});
  await w.tmpm(["daemon", "stop"]);
  await w.tmpm(["daemon", "start"], { env: { TMPM_FAILPOINT: "send.accepted:kill" } });
  expect((await w.tmpm(["send", "demo", "lost"])).code).not.toBe(0);
  const { id } = await w.json<SessionAnswer>(["show", "demo"]);
  const folder = join(w.home, "sends", id);
  const entry = await eventually(async () => {
    const [name] = (await readdir(folder)).filter((each) => each.endsWith(".json") && !each.startsWith("."));
    const kept: SendEntry = JSON.parse(await readFile(join(folder, name ?? ""), "utf8"));
    return kept.step === "done" ? kept : null;
  });
  expect(entry.receipt).toMatchObject({ outcome: "refused", reason: "interrupted" });
  expect((await readdir(folder)).filter((name) => name.endsWith(".text"))).toEqual([]);
  expect(await w.taken()).toEqual([]);
});

test("two command lines at once never interleave; what is queued is held, told, taken back or delivered", {
  timeout: 120_000,
}, async () => {
  await using w = await withAgent({ dialog: true });
  const texts = ["first ".repeat(400), "second\n".repeat(300)];
  const [held] = await Promise.all(texts.map((text) => w.tmpm(["send", "demo", "--queue", "-"], { input: text })));
  expect(held).toMatchObject({ code: 0, stdout: expect.stringContaining("held back"), stderr: expect.stringContaining("--receipt") });
  const third = await w.json<SendAnswer>(["send", "demo", "--no-wait", "third"]);
  expect(third.receipt).toMatchObject({ outcome: "held", reason: "accepted" });
  const cancelled = await w.tmpm(["send", "demo", "--cancel", third.receipt.id ?? "", "--json"]);
  expect([cancelled.code, JSON.parse(cancelled.stdout).receipt.reason]).toEqual([4, "cancelled"]);
  const refused = await w.tmpm(["send", "demo", "--timeout", "0.5", "fourth"]);
  expect(refused).toMatchObject({ code: 5, stdout: expect.stringContaining("another send to this session came first") });
  await w.json(["keys", "demo", "Enter"]);
  await eventually(async () => ((await w.taken()).length === 2 ? true : null), 30_000);
  expect((await w.taken()).toSorted()).toEqual(texts.map(digest).toSorted());
  const both = await w.json<WaitAnswer>(["wait", "demo", "demo", "--any", "--for", "idle", "--timeout", "20"]);
  expect(JSON.stringify(both)).toContain('"name":"demo"');
  const late = await w.tmpm(["wait", "demo", "--for", "awaiting_approval", "--timeout", "0.5"]);
  expect(late).toMatchObject({ code: 5, stderr: expect.stringMatching(/demo has been idle for \d+ s/) });
});
