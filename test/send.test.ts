import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateAnswer, KeptSend, SendAnswer, WaitAnswer } from "@tmpm/api";
import type { SendEntry } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { eventually, type Fixture, gone } from "./fixture.js";
import { isWhole, placedFixture, placesFor } from "./places.js";

/** A folder with the agent's program, for the search path. */
const AGENT = join(import.meta.dirname, "digesting-claude");

interface Scripted {
  readonly id: string;
  /** The digests of all accepted prompts. */
  taken(): Promise<readonly string[]>;
}

/** A named session with a scripted agent that has the screens of Claude Code and stores a digest of every prompt. */
async function scripted(w: Fixture, { name, ...behaviour }: { readonly name: string; readonly [key: string]: unknown }): Promise<Scripted> {
  const dir = join(w.dir, name);
  const log = join(dir, "taken.jsonl");
  await mkdir(dir);
  await writeFile(log, "");
  await writeFile(join(dir, "agent.json"), JSON.stringify({ ...behaviour, log }));
  const { id } = await w.json<CreateAnswer>(["new", "--agent", "claude", "--name", name, "--cwd", dir]);
  await eventually(async () => (["idle", "blocked"].includes((await w.api.show({ session: name })).activity.state) ? true : null));
  return {
    id,
    async taken() {
      const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line).sha256);
    },
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The next daemon is killed at that step. */
async function killedAt(w: Fixture, state: string): Promise<number> {
  await w.stopDaemon();
  await w.tmpm(["daemon", "start"], { env: { TMPM_FAILPOINT: `${state}:kill` } });
  return w.daemonPid();
}

/** The next daemon's result for a send, once that no longer changes. */
async function concluded(w: Fixture, { session, key }: { readonly session: string; readonly key: string }): Promise<KeptSend> {
  await w.tmpm(["send", session, "--receipt", key, "--json"]);
  return eventually(async () => {
    const kept = await w.api.receipt({ session, send: key });
    return kept.done ? kept : null;
  });
}

/**
 * One of the later ones besides the first, selected by the seed, and all of them at full scale; the supervisor's own tests have every one.
 */
const STATES =
  Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10
    ? ["send.accepted", "send.pasting", "send.pasted", "send.entering", "send.entered", "send.confirmed"]
    : ["send.accepted", ["send.pasted", "send.entered"][Number(process.env.TMPM_TEST_SEED ?? 0) % 2] ?? ""];

describe.each(placesFor(0))("send (%s)", (place) => {
  const shared = placedFixture(place, { PATH: `${AGENT}:${process.env.PATH}` });

  test("is submitted once or reported as not submitted when its daemon is killed at any step", { timeout: 300_000 }, async () => {
    const w = shared();
    const agent = await scripted(w, { name: "killed", dropEnterMs: 50 });
    const taken: string[] = [];
    for (const key of STATES) {
      const pid = await killedAt(w, key);
      const text = `prompt of ${key};\nsecond line`;
      expect((await w.tmpm(["send", "killed", "--key", key, "-"], { input: text })).code, key).not.toBe(0);
      await gone(pid);
      const { receipt } = await concluded(w, { session: "killed", key });
      expect([key, receipt.outcome, receipt.reason]).toEqual([
        key,
        ...(key === "send.pasting" ? ["refused", "interrupted"] : ["submitted", "screen"]),
      ]);
      if (receipt.outcome === "submitted") taken.push(digest(text));
      const again = await w.tmpm(["send", "killed", "--key", key, "-", "--json"], { input: text });
      expect(JSON.parse(again.stdout).receipt).toEqual(receipt);
    }
    expect(await agent.taken()).toEqual(taken);
  });

  if (!isWhole(place)) return;

  test("is refused if its caller lost the response before typing, and its text is not kept", {
    timeout: 180_000,
  }, async () => {
    const w = shared();
    const agent = await scripted(w, { name: "lost" });
    await killedAt(w, "send.accepted");
    expect((await w.tmpm(["send", "lost", "words"])).code).not.toBe(0);
    await w.tmpm(["ls"]);
    const folder = join(w.home, "sends", agent.id);
    const entry = await eventually(async () => {
      const [name] = (await readdir(folder)).filter((each) => each.endsWith(".json") && !each.startsWith("."));
      const kept: SendEntry = JSON.parse(await readFile(join(folder, name ?? ""), "utf8"));
      return kept.step === "done" ? kept : null;
    });
    expect(entry.receipt).toMatchObject({ outcome: "refused", reason: "interrupted" });
    const texts = async () => (await readdir(folder)).filter((name) => name.endsWith(".text"));
    await eventually(async () => ((await texts()).length === 0 ? true : null));
    expect(await agent.taken()).toEqual([]);
  });

  test("never interleaves with another; a queued one is held, reported, cancelled or delivered", { timeout: 180_000 }, async () => {
    const w = shared();
    const agent = await scripted(w, { name: "asked", dialog: true });
    const texts = [`${"first ".repeat(400)}end`, `${"second\n".repeat(300)}end`];
    const [held] = await Promise.all(texts.map((text) => w.tmpm(["send", "asked", "--queue", "-"], { input: text })));
    expect(held).toMatchObject({ code: 0, stdout: expect.stringContaining("held back"), stderr: expect.stringContaining("--receipt") });
    const third = await w.json<SendAnswer>(["send", "asked", "--no-wait", "third"]);
    expect(third.receipt).toMatchObject({ outcome: "held", reason: "accepted" });
    const cancelled = await w.tmpm(["send", "asked", "--cancel", third.receipt.id ?? "", "--json"]);
    expect([cancelled.code, JSON.parse(cancelled.stdout).receipt.reason]).toEqual([4, "cancelled"]);
    const refused = await w.tmpm(["send", "asked", "--timeout", "0.5", "fourth"]);
    expect(refused).toMatchObject({ code: 5, stdout: expect.stringContaining("an earlier send to this session is pending") });
    await w.api.keys({ session: "asked", keys: ["Enter"] });
    await eventually(async () => ((await agent.taken()).length === 2 ? true : null));
    expect((await agent.taken()).toSorted()).toEqual(texts.map(digest).toSorted());
    // Between the two turns it is briefly idle.
    await eventually(async () => {
      const { turns } = await w.api.turns({ session: "asked" });
      const ended = turns.filter(({ state, outcome }) => state === "ended" && outcome === "completed");
      return ended.length === 2 ? true : null;
    });
    const both = await w.json<WaitAnswer>(["wait", "asked", "asked", "--any", "--for", "idle", "--timeout", "60"]);
    expect(JSON.stringify(both)).toContain('"name":"asked"');
    const late = await w.tmpm(["wait", "asked", "--for", "awaiting_approval", "--timeout", "0.5"]);
    expect(late).toMatchObject({ code: 5, stderr: expect.stringMatching(/asked has been idle for \d+ s/) });
  });
});
