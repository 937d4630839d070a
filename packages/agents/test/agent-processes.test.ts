import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { agentOfArgv } from "../src/agent-processes/agent-of-argv.js";
import { parseDirectories, parseRow, psProcesses } from "../src/agent-processes/ps-processes.js";
import { agentProcesses, type RunningProcess } from "../src/index.js";

describe("agentOfArgv", () => {
  test.each([
    [["claude"], "claude"],
    [["/usr/local/bin/claude", "--resume", "x"], "claude"],
    [["node", "--no-warnings", "/opt/lib/node_modules/.bin/gemini"], "gemini"],
    [["/usr/bin/node", "/opt/opencode.mjs"], "opencode"],
    [["codex", "exec", "fix it"], "codex"],
    [["claude --help-me"], "claude"],
    [["vim", "claude"], null],
    [["/home/me/claude/run"], null],
    [["node", "server.js"], null],
    [["node"], null],
    [[], null],
  ])("maps %j to %s", (argv, agent) => {
    expect(agentOfArgv(argv)).toBe(agent);
  });
});

const running = (pid: number, parent: number, argv: readonly string[]): RunningProcess => ({
  pid,
  parent,
  startedAt: 1,
  terminal: true,
  argv,
});

describe("agentProcesses", () => {
  test("counts an agent started by another one as part of it", async () => {
    const all = [
      running(1, 0, []),
      running(10, 1, ["bash"]),
      running(11, 10, ["claude"]),
      running(12, 11, ["sh"]),
      running(13, 12, ["claude"]),
    ];
    const found = await agentProcesses({ all: async () => all, directories: async () => new Map([[11, "/w"]]) });
    expect(found).toEqual([{ pid: 11, agent: "claude", startedAt: 1, cwd: "/w", terminal: true, ancestors: [10, 1] }]);
  });

  test("ends on a cycle of parents", async () => {
    const all = [running(10, 11, ["claude"]), running(11, 10, ["sh"])];
    expect(await agentProcesses({ all: async () => all, directories: async () => new Map() })).toMatchObject([{ pid: 10, cwd: null }]);
  });

  test.each([["/proc"], ["ps"]])("finds a real process through %s, with its directory and start time", async (how) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "tmpm-agents-")));
    copyFileSync("/bin/sleep", join(folder, "claude"));
    const before = Date.now() / 1000;
    const child = spawn(join(folder, "claude"), ["60"], { cwd: folder, stdio: "ignore" });
    try {
      await new Promise((resolve) => child.once("spawn", resolve));
      const found = await (how === "ps" ? agentProcesses(psProcesses()) : agentProcesses());
      const own = found.find(({ pid }) => pid === child.pid);
      expect(own).toMatchObject({ agent: "claude", ancestors: expect.arrayContaining([process.pid]) });
      // Both report it with a precision of one second.
      expect(own?.startedAt).toBeGreaterThan(before - 2);
      expect(own?.startedAt).toBeLessThan(Date.now() / 1000 + 2);
      if (how === "/proc") expect(own?.cwd).toBe(folder);
    } finally {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    }
  });
});

describe("output of ps and lsof", () => {
  test("a row has pid, parent, owner, start, terminal and arguments; other users' rows have no arguments", () => {
    vi.stubEnv("TZ", "Asia/Tokyo");
    onTestFinished(() => void vi.unstubAllEnvs());
    const row = "  123     1   501 Sat Nov 28 02:15:32 2026     ttys001  /opt/bin/claude --resume a";
    expect(parseRow(row, 501)).toEqual({
      pid: 123,
      parent: 1,
      startedAt: Date.parse("2026-11-28T02:15:32Z") / 1000,
      terminal: true,
      argv: ["/opt/bin/claude", "--resume", "a"],
    });
    expect(parseRow(row, 502)?.argv).toEqual([]);
    expect(parseRow("PID PPID", 501)).toBeNull();
    expect(parseRow(row.replace("ttys001", "??"), 501)?.terminal).toBe(false);
  });

  test("a directory belongs to the pid above it", () => {
    expect([...parseDirectories("p10\nfcwd\nn/w/a b\np11\nfcwd\nn/tmp\n")]).toEqual([
      [10, "/w/a b"],
      [11, "/tmp"],
    ]);
  });
});
