import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { eventually, type Fixture, sharedFixture } from "./fixture.js";

const run = promisify(execFile);
const PROGRAM = resolve(import.meta.dirname, "../tmpm");
const AGENTS = join(import.meta.dirname, "scripted-claude");
const DETACH = "\u0002d";

/** A user's terminal: node-pty if it can be loaded. */
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
  const shared = sharedFixture({ PATH: `${AGENTS}:${process.env.PATH}` });

  test.skipIf(pty === null)(
    "shows the session in this terminal, passes keys, and ends with tmux's own keys",
    { timeout: 180_000 },
    async () => {
      const w = shared();
      await w.json(["new", "--name", "plain"]);
      const terminal = openTerminal(w, ["attach", "plain"]);
      await eventually(async () => (terminal.output().includes("plain") ? true : null));
      terminal.write("echo typed-$((40+2))\r");
      await eventually(async () => (terminal.output().includes("typed-42") ? true : null));
      await eventually(async () => ((await w.api.show({ session: "plain" })).viewers === 1 ? true : null));
      terminal.write(DETACH);
      expect(await terminal.exited).toBe(0);
      const detached = await eventually(async () => {
        const session = await w.api.show({ session: "plain" });
        return session.viewers === 0 ? session : null;
      });
      expect(detached).toMatchObject({ state: "active", status: "Detached" });
    },
  );

  test("works inside another tmux, which keeps its own session, and `next` goes to the session that needs the user", {
    timeout: 180_000,
  }, async () => {
    const w = shared();
    await w.json(["new", "--name", "inner"]);
    await using outer = await outerTmux(w);
    await outer.open("outer", { columns: 120, rows: 30 });
    await outer.type("outer", `${PROGRAM} next; echo next-with-$?`);
    await outer.shows("outer", "no session needs you\nnext-with-3");
    await outer.type("outer", `${PROGRAM} attach inner; echo left-with-$?`);
    await viewed(w, { inner: 1 });
    await outer.type("outer", "echo inner-$((1+1))");
    await outer.shows("outer", "inner-2");
    await outer.detach("outer");
    await outer.shows("outer", "left-with-0");
    expect(await outer.tmux("list-sessions", "-F", "#{session_name}")).toBe("outer");
    expect((await w.api.show({ session: "inner" })).state).toBe("active");

    await w.json(["new", "--agent", "claude", "--name", "asker", "--prompt", "RUN:touch it"]);
    await eventually(async () => ((await w.api.show({ session: "asker" })).activity.state === "awaiting_approval" ? true : null));
    await outer.type("outer", `clear; ${PROGRAM} next; echo next-with-$?`);
    await viewed(w, { asker: 1, inner: 0 });
    await outer.shows("outer", "touch it");
    await outer.detach("outer");
    await outer.shows("outer", "next-with-0");
  });

  test("does not resize a session with attached users unless requested; read-only types nothing", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.json(["new", "--name", "sized"]);
    const width = async (columns: number) => {
      await eventually(async () =>
        (await w.tmux("display-message", "-p", "-t", "=tmpm-sized:", "#{window_width}")).trim() === String(columns) ? true : null,
      );
    };
    await using outer = await outerTmux(w);
    await outer.open("desk", { columns: 120, rows: 30 });
    await outer.type("desk", `${PROGRAM} attach sized`);
    await width(120);
    await viewed(w, { sized: 1 });
    await outer.open("phone", { columns: 45, rows: 20 });
    await outer.type("phone", `${PROGRAM} attach sized; echo left-with-$?`);
    await outer.shows("phone", "others are attached");
    await width(120);
    await outer.detach("phone");
    await outer.shows("phone", "left-with-0");
    await outer.type("phone", `clear; ${PROGRAM} attach sized --resize; echo back-with-$?`);
    await width(45);
    await outer.detach("phone");
    await outer.shows("phone", "back-with-0");
    await outer.type("phone", `clear; ${PROGRAM} attach sized --read-only`);
    await viewed(w, { sized: 2 });
    await width(120);
    await outer.type("phone", "echo typed-$((1+1))");
    await outer.type("desk", "echo seen-$((2+2))");
    await outer.shows("phone", "seen-4");
    expect((await w.api.capture({ session: "sized" })).lines).not.toContain("typed-2");
  });

  test("switches to the session inside tmpm's own tmux, and leaves no extra session inside another", { timeout: 180_000 }, async () => {
    const w = shared();
    for (const name of ["one", "two"]) await w.api.create({ name, cwd: w.dir });
    await using outer = await outerTmux(w);
    await outer.open("outer", { columns: 120, rows: 30 });
    await outer.type("outer", `${PROGRAM} attach one; echo left-with-$?`);
    await viewed(w, { one: 1, two: 0 });
    await outer.type("outer", `TMPM_HOME=${w.home} ${PROGRAM} attach two; echo went-with-$?`);
    await viewed(w, { one: 0, two: 1 });
    await outer.detach("outer");
    await outer.shows("outer", "left-with-0");
    await eventually(async () => ((await w.api.capture({ session: "one" })).lines.includes("went-with-0") ? true : null));
  });
});

/** Waits until this many users' terminals show each of the sessions, according to tmux. */
async function viewed(w: Fixture, viewers: Readonly<Record<string, number>>): Promise<void> {
  await eventually(async () => {
    const clients = (await w.tmux("list-clients", "-F", "#{client_control_mode} #{session_name}")).split("\n");
    const seen = (name: string) => clients.filter((client) => client === `0 tmpm-${name}`).length;
    return Object.entries(viewers).every(([name, count]) => seen(name) === count) ? true : null;
  });
}

/** A foreign tmux server whose sessions are terminals of that size. */
async function outerTmux(w: Fixture) {
  const folder = await mkdtemp(join(w.dir, "outer-"));
  const socket = join(folder, "s");
  const tmux = async (...argv: string[]) =>
    (await run("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...argv], { env: { ...w.env } })).stdout.trim();
  return {
    tmux,
    open: (name: string, { columns, rows }: { readonly columns: number; readonly rows: number }) =>
      tmux(
        "new-session",
        "-d",
        "-s",
        name,
        "-x",
        String(columns),
        "-y",
        String(rows),
        "sh",
        ";",
        "set-option",
        "-t",
        name,
        "status",
        "off",
      ),
    type: (name: string, line: string) => tmux("send-keys", "-t", `=${name}:`, line, "Enter"),
    /** The keys go to the inner tmux. Together they would look like a paste to it. */
    async detach(name: string) {
      await tmux("send-keys", "-t", `=${name}:`, "C-b");
      await tmux("send-keys", "-t", `=${name}:`, "d");
    },
    async shows(name: string, text: string) {
      await eventually(async () => ((await tmux("capture-pane", "-p", "-t", `=${name}:`)).includes(text) ? true : null));
    },
    async [Symbol.asyncDispose]() {
      await tmux("kill-server");
    },
  };
}

function openTerminal(w: Fixture, argv: readonly string[]) {
  if (pty === null) throw new Error("node-pty cannot be loaded");
  const child = pty.spawn(PROGRAM, [...argv], { cols: 100, rows: 30, cwd: w.dir, env: { ...w.env } });
  let output = "";
  child.onData((data) => {
    output += data;
  });
  const exited = new Promise<number>((done) => child.onExit(({ exitCode }) => done(exitCode)));
  return { output: () => output, write: (text: string) => child.write(text), exited };
}
