import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { SessionAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { eventually, type World, world } from "./world.js";

const run = promisify(execFile);
const PROGRAM = resolve(import.meta.dirname, "../tmpm");
const DETACH = "\u0002d";

/** A terminal of a person: node-pty where it can be loaded. */
async function loadPty(): Promise<typeof import("node-pty") | null> {
  try {
    return await import("node-pty");
  } catch (error) {
    console.log(`skipped the tests on a terminal of one's own: node-pty cannot be loaded (${String(error)})`);
    return null;
  }
}

const pty = await loadPty();

describe("tmpm attach", () => {
  test.skipIf(pty === null)(
    "shows the session in this terminal, passes keys on, and ends with tmux's own keys",
    { timeout: 60_000 },
    async () => {
      await using w = await world();
      await w.json(["new", "--name", "demo2"]);
      const terminal = openTerminal(w, ["attach", "demo2"]);
      await eventually(async () => (terminal.output().includes("demo2") ? true : null));
      terminal.write("echo typed-$((40+2))\r");
      await eventually(async () => (terminal.output().includes("typed-42") ? true : null));
      await eventually(async () => ((await w.json<SessionAnswer>(["show", "demo2"])).viewers === 1 ? true : null));
      terminal.write(DETACH);
      expect(await terminal.exited).toBe(0);
      const detached = await eventually(async () => {
        const session = await w.json<SessionAnswer>(["show", "demo2"]);
        return session.viewers === 0 ? session : null;
      });
      expect(detached).toMatchObject({ state: "active", status: "Detached" });
    },
  );

  test("works from inside another tmux, which keeps its own session", { timeout: 60_000 }, async () => {
    await using w = await world();
    await w.json(["new", "--name", "demo2"]);
    const socket = join(w.dir, "outer.sock");
    const outer = async (...argv: string[]) =>
      (await run("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...argv], { env: { ...w.env } })).stdout;
    await outer("new-session", "-d", "-s", "outer", "-x", "120", "-y", "30", "sh");
    try {
      const screen = () => outer("capture-pane", "-p", "-t", "=outer:");
      await outer("send-keys", "-t", "=outer:", `${PROGRAM} attach demo2; echo left-with-$?`, "Enter");
      await eventually(async () =>
        (await screen()).includes("demo2]") || (await w.json<SessionAnswer>(["show", "demo2"])).viewers === 1 ? true : null,
      );
      await outer("send-keys", "-t", "=outer:", "echo inner-$((1+1))", "Enter");
      await eventually(async () => ((await screen()).includes("inner-2") ? true : null));
      await outer("send-keys", "-t", "=outer:", "C-b", "d");
      await eventually(async () => ((await screen()).includes("left-with-0") ? true : null));
      expect((await outer("list-sessions", "-F", "#{session_name}")).trim()).toBe("outer");
    } finally {
      await outer("kill-server");
    }
    expect((await w.json<SessionAnswer>(["show", "demo2"])).state).toBe("active");
  });

  test("without a terminal it says so, and does nothing", { timeout: 60_000 }, async () => {
    await using w = await world();
    await w.json(["new", "--name", "demo2"]);
    const refused = await w.tmpm(["attach", "demo2"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/terminal/);
  });
});

function openTerminal(w: World, argv: readonly string[]) {
  if (pty === null) throw new Error("node-pty cannot be loaded");
  const child = pty.spawn(PROGRAM, [...argv], { cols: 100, rows: 30, cwd: w.dir, env: { ...w.env } });
  let output = "";
  child.onData((data) => {
    output += data;
  });
  const exited = new Promise<number>((done) => child.onExit(({ exitCode }) => done(exitCode)));
  return { output: () => output, write: (text: string) => child.write(text), exited };
}
