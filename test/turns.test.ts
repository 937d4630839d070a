import { join } from "node:path";
import type { QueueAnswer, TurnAnswer, TurnList } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { main as giveTwoPrompts } from "../examples/turns.js";
import { eventually, type Fixture, gone } from "./fixture.js";
import { isWhole, placedFixture, placesFor } from "./places.js";

const BIN = join(import.meta.dirname, "scripted-claude");

async function withClaude(w: Fixture, name: string): Promise<void> {
  await w.json(["new", "--agent", "claude", "--name", name]);
  await eventually(async () => ((await w.api.show({ session: name })).activity.state === "idle" ? true : null));
}

async function ended(w: Fixture, { id }: TurnAnswer): Promise<string | null> {
  for (;;) {
    const turn = await w.api.turn({ session: "demo", turn: id, wait_ms: 30_000 });
    if (turn.state === "ended") return turn.outcome;
  }
}

async function running(w: Fixture, { id }: TurnAnswer): Promise<void> {
  await eventually(async () => ((await w.api.turn({ session: "demo", turn: id })).state === "running" ? true : null));
}

describe.each(placesFor(1))("turns (%s)", (place) => {
  const shared = placedFixture(place, { PATH: `${BIN}:${process.env.PATH}` });

  test("three prompts wait for a busy agent, are reordered, survive their daemon, and report their outcomes", {
    timeout: 300_000,
  }, async () => {
    const w = shared();
    await withClaude(w, "demo");
    const add = (prompt: string) => w.api.submit({ session: "demo", prompt, queue: true });
    const busy = await add("SLOW:600");
    await running(w, busy);
    const [one, two] = [await add("first"), await add("second")];
    const three = await w.json<TurnAnswer>(["queue", "demo", "add", "third"]);
    const moved = await w.json<QueueAnswer>(["queue", "demo", "move", three.id, "--front"]);
    expect(moved.waiting.map(({ prompt }) => prompt)).toEqual(["third", "first", "second"]);
    const list = await w.tmpm(["queue", "demo"]);
    expect(list.stdout).toMatch(/running .*SLOW:600\n.*third\n.*first\n.*second\n4 of 32/);
    expect((await w.tmpm(["ls"])).stdout).toContain("[3 queued]");
    const pid = await w.daemonPid();
    process.kill(pid, "SIGKILL");
    await gone(pid);
    expect((await w.json<QueueAnswer>(["queue", "demo"])).waiting.map(({ prompt }) => prompt)).toEqual(["third", "first", "second"]);
    expect((await w.tmpm(["queue", "demo", "remove", busy.id])).code).toBe(4);
    await w.json(["queue", "demo", "remove", one.id]);
    const cancelled = await w.json<TurnAnswer>(["cancel", "demo"]);
    expect(cancelled).toMatchObject({ id: busy.id, outcome: "cancelled", cause: "client_rpc", confirmed: true });
    expect([await ended(w, three), await ended(w, two), await ended(w, one)]).toEqual(["completed", "completed", "cancelled"]);
    const late = await w.tmpm(["cancel", "demo", busy.id, "--json"]);
    expect([late.code, JSON.parse(late.stdout).error.code]).toEqual([4, "TURN_NOT_ACTIVE"]);
    const { turns } = await w.json<TurnList>(["turns", "demo"]);
    expect(turns.map(({ prompt, outcome }) => [prompt, outcome])).toEqual([
      ["SLOW:600", "cancelled"],
      ["first", "cancelled"],
      ["second", "completed"],
      ["third", "completed"],
    ]);
    expect((await w.api.show({ session: "demo" })).queued).toBe(0);
    const events = await w.tmpm(["events", "demo", "--type", "turn_ended"]);
    expect(events.stdout.split("\n").filter((line) => line.includes("turn "))).toHaveLength(4);
  });

  if (!isWhole(place)) return;

  test("a shell and a program follow a prompt to the end of its turn", { timeout: 180_000 }, async () => {
    const w = shared();
    await withClaude(w, "followed");
    const followed = await w.tmpm(["send", "followed", "--follow", "hello"]);
    expect([followed.code, followed.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^followed: turn [0-9a-f]{8} completed, after \d+s; the record of conversation \S+ of Claude Code was not found\n$/,
      ),
    ]);
    const lines: string[] = [];
    await giveTwoPrompts((line) => lines.push(line), { session: "followed", env: w.env });
    expect(lines).toEqual(["What is in this repository? completed", "And what is missing? completed"]);
  });
});
