import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readRefusal } from "../src/failure.js";
import { type CreateSpec, oneShotDriver } from "../src/index.js";
import { TMUX } from "./tested-tmux.js";
import { openTmux } from "./tmux-fixture.js";

const SPEC: CreateSpec = { sessionId: randomUUID(), tmuxName: "a", cwd: "/", argv: ["true"], env: {}, columns: 80, rows: 24 };

/** Standard error of the tmux program. */
function stderrOf(socket: string, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(TMUX, ["-u", "-f", "/dev/null", "-S", socket, ...args], (_error, _stdout, stderr) => resolve(stderr));
  });
}

describe("messages of the installed tmux", () => {
  test("are recognized", async () => {
    const { driver, socketPath } = await openTmux();
    await driver.create({ ...SPEC, tmuxName: "one", argv: ["sleep", "1000"] });
    for (const [kind, ...args] of [
      ["no_session", "has-session", "-t", "=nobody"],
      ["no_session", "send-keys", "-t", "=nobody:", "x"],
      ["no_pane", "capture-pane", "-p", "-t", "%999"],
      ["duplicate_session", "new-session", "-d", "-s", "one"],
      ["no_terminal", "attach-session", "-t", "=one"],
      ["too_long", "send-keys", "-l", "-t", "%0", "x".repeat(17_000)],
    ]) {
      expect(readRefusal(await stderrOf(socketPath, ...args))?.kind).toBe(kind);
    }
  });

  test("a server without sessions has no target", async () => {
    const empty = await openTmux();
    const pane = await empty.driver.create(SPEC);
    await empty.driver.kill(pane.identity, { graceMs: 0 });
    expect(readRefusal(await stderrOf(empty.socketPath, "list-panes", "-a"))?.kind).toBe("no_target");
    expect(await empty.driver.list()).toEqual({ kind: "present", value: [] });
  });
});

describe("without a server", () => {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("distinguishes a missing socket from a socket without a listener", async () => {
    const stale = join(folder, "stale");
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(join(folder, "live"), resolve));
    renameSync(join(folder, "live"), stale);
    await new Promise<void>((resolve) => listener.close(() => resolve()));
    expect(readRefusal(await stderrOf(join(folder, "none"), "list-sessions"))?.kind).toBe("socket_missing");
    expect(readRefusal(await stderrOf(stale, "list-sessions"))?.kind).toBe("no_server");
  });

  test("a missing program is not an absent server", async () => {
    const driver = oneShotDriver({
      socket: { path: join(folder, "s") },
      stateDir: join(folder, "state"),
      env: {},
      tmux: join(folder, "tmux"),
    });
    expect(await driver.list()).toMatchObject({ kind: "unknown", error: { code: "TMUX_NOT_FOUND", effect: "none" } });
    await expect(driver.create(SPEC)).rejects.toMatchObject({ code: "TMUX_NOT_FOUND" });
  });

  test("rejects another program, one without an answer and one that is killed", async () => {
    const as = (tmux: string) =>
      oneShotDriver({ socket: { path: join(folder, "s") }, stateDir: join(folder, "state"), env: process.env, tmux });
    expect(await as("true").list()).toMatchObject({ kind: "unknown", error: { code: "TMUX_FAILED" } });
    expect(await as("false").list()).toMatchObject({ kind: "unknown", error: { code: "TMUX_FAILED" } });
    const suicide = join(folder, "suicide");
    writeFileSync(suicide, "#!/bin/sh\nkill -9 $$\n", { mode: 0o755 });
    expect(await as(suicide).list()).toMatchObject({ kind: "unknown", error: { code: "TMUX_UNRESPONSIVE" } });
    const old = join(folder, "old");
    writeFileSync(old, "#!/bin/sh\necho tmux 3.1c\n", { mode: 0o755 });
    await expect(as(old).create(SPEC)).rejects.toMatchObject({ code: "TMUX_TOO_OLD" });
  });
});

describe("table of messages", () => {
  test.each([
    ["server exited unexpectedly", "server_exited"],
    ["lost server", "server_exited"],
    ["[server exited]", "server_exited"],
    ["error connecting to /tmp/s (Permission denied)", "no_access"],
    ["error connecting to /tmp/s (Connection refused)", "no_server"],
    ["protocol version mismatch (client 8, server 7)", "version_skew"],
    ["create window failed: fork failed: Resource temporarily unavailable", "no_process"],
    ["create session failed: fork failed: Cannot allocate memory", "no_process"],
  ])("%s", (stderr, kind) => {
    expect(readRefusal(`${stderr}\n`)?.kind).toBe(kind);
  });

  test.each(["", "usage: tmux", "x can't find session: y", "unknown command: foo", "no server running"])(
    "%j is not recognized",
    (stderr) => {
      expect(readRefusal(stderr)).toBeNull();
    },
  );
});
