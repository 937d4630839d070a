import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { CountsAnswer, EventAnswer, NextAnswer, SessionAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import type { Fixture } from "./fixture.js";
import { sshPair } from "./ssh-pair.js";
import { WITHOUT_SSHD } from "./sshd.js";

const PROGRAM = resolve(import.meta.dirname, "../tmpm");
const TEST_MS = 300_000;

interface Wide {
  readonly complete: boolean;
  readonly nodes: readonly { readonly node: string | null; readonly complete: boolean; readonly reason: string | null }[];
}

if (WITHOUT_SSHD !== null) console.warn(`nothing over several machines is tried: ${WITHOUT_SSHD}`);

describe.skipIf(WITHOUT_SSHD !== null)("on this machine and a node", () => {
  test("count, next, wait and followed events cover both, and name silent nodes", { timeout: TEST_MS }, async () => {
    await using both = await sshPair();
    const { here, there, host } = both;
    await both.add();
    await here.json(["new", "--on", "build1", "--name", "far", "--cwd", there.dir]);
    await here.json(["new", "--name", "near"]);
    await using events = followed(here);
    // A node may be late on a busy machine.
    const counts = () => here.json<CountsAnswer & Wide>(["counts"]);
    await expect.poll(counts).toMatchObject({ total: 2, live: 2, complete: true });
    expect((await counts()).nodes).toMatchObject([
      { node: null, total: 1 },
      { node: "build1", total: 1 },
    ]);
    expect(await here.json<CountsAnswer>(["counts", "--node", "build1"])).toMatchObject({ total: 1 });

    const waits = here.json<{ sessions: readonly SessionAnswer[] }>([
      "wait",
      "near",
      "build1:far",
      "--any",
      "--for",
      "question",
      "--timeout",
      "200",
    ]);
    await here.json(["send", "build1:far", `${PROGRAM} ask 'Which one?'`]);
    expect((await waits).sessions.map(({ name }) => name)).toEqual(["far"]);
    // It exits with 3 if no session needs the user.
    const next = async (): Promise<NextAnswer & Wide & { node: string | null }> => JSON.parse((await here.tmpm(["next", "--json"])).stdout);
    await expect.poll(next).toMatchObject({ node: "build1", session: { name: "far" }, complete: true });
    expect((await here.tmpm(["next", "--print"])).stdout).toContain("build1:far");
    expect((await here.tmpm(["next", "--node", "local"])).code).toBe(3);

    const has = (type: string, node: string | null) => expect.poll(() => events.has(type, node)).toBe(true);
    await has("question_asked", "build1");
    // This machine's daemon keeps the links, and may be restarted.
    await here.json(["daemon", "restart"]);
    await here.json(["new", "--name", "later"]);
    await has("session_created", null);
    await there.json(["pause", "far"]);
    await has("session_paused", "build1");
    await here.json(["stop", "later"]);
    await expect.poll(counts).toMatchObject({ complete: true });
    const silences = events.silent().length;

    await host.stop();
    await expect.poll(() => events.silent().length).toBeGreaterThan(silences);
    await expect.poll(next).toMatchObject({ session: null, complete: false });
    expect(await counts()).toMatchObject({ complete: false });
    await there.json(["stop", "far"]);
    await here.json(["stop", "near"]);
    await expect.poll(() => events.count("session_stopped", null)).toBe(2);
    expect(events.has("session_stopped", "build1")).toBe(false);
    // Events that happened meanwhile are reported, once.
    await host.start();
    await has("session_stopped", "build1");
    expect(events.numbers("build1")).toEqual([...new Set(events.numbers("build1"))]);
    expect(new Set(events.silent())).toEqual(new Set(["build1"]));

    await here.json(["nodes", "rm", "build1"]);
    expect(await events.ended).toBe(3);
    expect(events.failures()).toEqual(["NODE_NOT_FOUND"]);
  });
});

/** Output of `tmpm events --follow --json`. */
function followed({ env, dir }: Pick<Fixture, "env" | "dir">) {
  const child = spawn(PROGRAM, ["events", "--follow", "--json"], { env, cwd: dir, stdio: ["ignore", "pipe", "inherit"] });
  const lines: (Partial<EventAnswer> & { node: string | null; silent?: { reason: string }; error?: { code: string } })[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(JSON.parse(line)));
  const ended = new Promise<number | null>((settle) => child.once("close", settle));
  return {
    has: (type: string, node: string | null) => lines.some((line) => line.type === type && line.node === node),
    count: (type: string, node: string | null) => lines.filter((line) => line.type === type && line.node === node).length,
    numbers: (node: string) => lines.filter((line) => line.node === node).flatMap(({ seq }) => (seq === undefined ? [] : [seq])),
    failures: () => lines.flatMap(({ error }) => (error === undefined ? [] : [error.code])),
    ended,
    silent: () => lines.filter((line) => line.silent !== undefined).map(({ node }) => node),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
