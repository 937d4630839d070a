import { join } from "node:path";
import type { QueueAnswer, SessionAnswer, TurnAnswer, TurnList } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { main as giveTwoPrompts } from "../examples/turns.js";
import { eventually, isAlive, type World, world } from "./world.js";

const BIN = join(import.meta.dirname, "scripted-claude");

async function withClaude(): Promise<World> {
  const w = await world({ PATH: `${BIN}:${process.env.PATH}` });
  await w.json(["new", "--agent", "claude", "--name", "demo"]);
  await w.json(["wait", "demo", "--timeout", "60"]);
  return w;
}

const add = (w: World, prompt: string) => w.json<TurnAnswer>(["queue", "demo", "add", prompt]);
const ended = (w: World, { id }: TurnAnswer) =>
  eventually(async () => {
    const { stdout } = await w.tmpm(["turns", "demo", id, "--wait", "--json"]);
    return stdout.startsWith('{"schema_version"') ? (JSON.parse(stdout) as TurnAnswer) : null;
  }, 60_000);

async function running(w: World, { id }: TurnAnswer): Promise<void> {
  await eventually(async () => ((await w.api.turn({ session: "demo", turn: id })).state === "running" ? true : null), 30_000);
}

describe("turns", () => {
  test("three prompts wait for a busy agent, are reordered, outlive their daemon, and are told what became of them", {
    timeout: 240_000,
  }, async () => {
    await using w = await withClaude();
    const busy = await add(w, "SLOW:120");
    await running(w, busy);
    const [one, two, three] = [await add(w, "first"), await add(w, "second"), await add(w, "third")];
    const moved = await w.json<QueueAnswer>(["queue", "demo", "move", three.id, "--front"]);
    expect(moved.waiting.map(({ prompt }) => prompt)).toEqual(["third", "first", "second"]);
    const list = await w.tmpm(["queue", "demo"]);
    expect(list.stdout).toMatch(/running .*SLOW:120\n.*third\n.*first\n.*second\n4 of 32/);
    expect((await w.tmpm(["ls"])).stdout).toContain("[3 queued]");
    const pid = await w.daemonPid();
    process.kill(pid, "SIGKILL");
    await eventually(async () => ((await isAlive(pid)) ? null : true));
    expect((await w.json<QueueAnswer>(["queue", "demo"])).waiting.map(({ prompt }) => prompt)).toEqual(["third", "first", "second"]);
    expect((await w.tmpm(["queue", "demo", "remove", busy.id])).code).toBe(4);
    await w.json(["queue", "demo", "remove", one.id]);
    const cancelled = await w.json<TurnAnswer>(["cancel", "demo"]);
    expect(cancelled).toMatchObject({ id: busy.id, outcome: "cancelled", cause: "client_rpc", confirmed: true });
    expect([(await ended(w, three)).outcome, (await ended(w, two)).outcome, (await ended(w, one)).outcome]).toEqual([
      "completed",
      "completed",
      "cancelled",
    ]);
    const late = await w.tmpm(["cancel", "demo", busy.id, "--json"]);
    expect([late.code, JSON.parse(late.stdout).error.code]).toEqual([4, "TURN_NOT_ACTIVE"]);
    const { turns } = await w.json<TurnList>(["turns", "demo"]);
    expect(turns.map(({ prompt, outcome }) => [prompt, outcome])).toEqual([
      ["SLOW:120", "cancelled"],
      ["first", "cancelled"],
      ["second", "completed"],
      ["third", "completed"],
    ]);
    expect((await w.json<SessionAnswer>(["show", "demo"])).queued).toBe(0);
    const events = await w.tmpm(["events", "demo", "--type", "turn_ended"]);
    expect(events.stdout.split("\n").filter((line) => line.includes("turn "))).toHaveLength(4);
  });

  test("a prompt is followed to its end from a shell and from a program", { timeout: 120_000 }, async () => {
    await using w = await withClaude();
    const followed = await w.tmpm(["send", "demo", "--follow", "hello"]);
    expect([followed.code, followed.stdout]).toEqual([0, expect.stringMatching(/^demo: turn [0-9a-f]{8} completed, after \d+s\n$/)]);
    const lines: string[] = [];
    await giveTwoPrompts((line) => lines.push(line), { session: "demo", env: w.env });
    expect(lines).toEqual(["What is in this repository? completed", "And what is missing? completed"]);
  });
});
