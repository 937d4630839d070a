import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { CreateAnswer, ScreenAnswer, SendAnswer, SessionAnswer, SessionList, StopAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { eventually, type Fixture, isAlive, sharedFixture } from "./fixture.js";

const ONE_HUNDRED_KB = `: ${"x".repeat(100_000)}`;

/** The screen once it has the line. */
function shows(w: Fixture, { session, line }: { readonly session: string; readonly line: string }): Promise<readonly string[]> {
  return eventually(async () => {
    const { lines } = await w.api.capture({ session });
    return lines.includes(line) ? lines : null;
  });
}

/** Completions of bash after `tmpm show WORD`. */
async function offered(w: Fixture, word: string): Promise<string> {
  const program = resolve(import.meta.dirname, "../tmpm");
  const script = `source <(${program} completion bash); COMP_WORDS=(${program} show ${word}); COMP_CWORD=2; _tmpm; echo "\${COMPREPLY[@]}"`;
  return (await promisify(execFile)("bash", ["--norc", "-c", script], { cwd: w.dir, env: { ...w.env } })).stdout.trim();
}

describe("life of a session on the command line", () => {
  const shared = sharedFixture();

  test("completing names starts no daemon", { timeout: 180_000 }, async () => {
    const w = shared();
    expect(await offered(w, "sid")).toBe("");
    expect(existsSync(join(w.home, "run", "tmpm.sock"))).toBe(false);
  });

  test("runs new, ls, show, send, wait, capture, stop, resume and rm with --json, without a locale, terminal type or SHELL", {
    timeout: 180_000,
  }, async () => {
    const w = shared();
    const onlyEnv = { PATH: process.env.PATH ?? "", HOME: w.env.HOME ?? "", TMPM_HOME: w.home };
    const json = <T>(...argv: readonly string[]) => w.json<T>(argv, { onlyEnv });
    const created = await json<CreateAnswer>("new", "--agent", "shell", "--name", "demo2", "--cwd", w.dir);
    expect(created).toMatchObject({
      name: "demo2",
      tmux_name: "tmpm-demo2",
      state: "active",
      agent: "shell",
      workdir: w.dir,
      status: "Active",
    });

    const list = await json<SessionList>("ls");
    expect(list.sessions.map(({ name }) => name)).toEqual(["demo2"]);
    expect(list).toMatchObject({ problems: [], next: null, store: { state: "ok" } });

    const sent = await json<SendAnswer>("send", "demo2", "echo 'grüße → 日本語 🙂'");
    expect(sent.receipt.outcome).toBe("submitted");
    expect(sent.receipt.evidence.length).toBeGreaterThan(0);
    await shows(w, { session: "demo2", line: "grüße → 日本語 🙂" });
    expect((await json<SessionAnswer>("wait", "demo2", "--timeout", "60")).activity.state).toBe("idle");
    expect((await json<ScreenAnswer>("capture", "demo2")).lines).toContain("grüße → 日本語 🙂");

    const stopped = await json<StopAnswer>("stop", "demo2");
    expect(stopped).toMatchObject({ survivors: [], state: "stopped", stop_cause: "deliberate", status: "Stopped" });
    const resumed = await json<SessionAnswer>("resume", "tmpm-demo2");
    expect(resumed).toMatchObject({ id: created.id, state: "active", stop_cause: null });

    const removed = await json<StopAnswer>("rm", created.id.slice(0, 8));
    expect(removed.state).toBe("decommissioned");
    expect((await w.api.list()).sessions).toEqual([]);
    expect((await json<SessionList>("ls", "--all")).sessions.map(({ state }) => state)).toEqual(["decommissioned"]);
  });

  test("completes session names in bash", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.api.create({ name: "sidecar", cwd: w.dir });
    expect(await offered(w, "sid")).toBe("sidecar");
  });

  test("runs the same commands with text output", { timeout: 180_000 }, async () => {
    const w = shared();
    expect(await w.tmpm(["new", "--name", "people"])).toEqual({ code: 0, stdout: "people\n", stderr: "" });
    expect((await w.tmpm(["ls"])).stdout).toMatch(/people\s+.*shell/);
    expect((await w.tmpm(["show", "people"])).stdout).toContain(w.dir);
    const sent = await w.tmpm(["send", "people", "echo", "it-works"]);
    expect(sent).toMatchObject({ code: 0, stderr: "" });
    expect(sent.stdout).toMatch(/^people: submitted/);
    await shows(w, { session: "people", line: "it-works" });
    expect((await w.tmpm(["wait", "people", "--timeout", "60"])).code).toBe(0);
    expect((await w.tmpm(["capture", "people"])).stdout).toMatch(/^it-works$/m);
    expect((await w.tmpm(["keys", "people", "C-l"])).code).toBe(0);
    for (const verb of ["stop", "resume", "rm"]) expect((await w.tmpm([verb, "people"])).code).toBe(0);
  });

  test("two lines and 100 kB arrive byte for byte, from an argument, a file and standard input", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.json(["new", "--name", "exact"]);
    const idle = () => w.api.wait({ session: "exact", until: "idle", timeout_ms: 60_000 }, { timeoutMs: 90_000 });
    const two = await w.json<SendAnswer>(["send", "exact", "echo first\necho second"]);
    expect(two.receipt.outcome).toBe("submitted");
    const lines = await shows(w, { session: "exact", line: "second" });
    expect(lines.filter((line) => line === "first" || line === "second")).toEqual(["first", "second"]);

    await idle();
    const big = await w.json<SendAnswer>(["send", "exact", "-"], { input: ONE_HUNDRED_KB });
    expect(big.receipt).toMatchObject({ outcome: "submitted", bytes: ONE_HUNDRED_KB.length });
    await idle();
    const file = join(w.dir, "count");
    await writeFile(file, 'set -- $_; echo "length=${#1}"');
    const count = await w.json<SendAnswer>(["send", "exact", "--file", file]);
    expect(count.receipt.outcome).toBe("submitted");
    await shows(w, { session: "exact", line: "length=100000" });
  });

  test("waits for a busy session, and reports its activity at the timeout", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.json(["new", "--name", "busy"]);
    await w.api.send({ session: "busy", text: "sleep 300" });
    await eventually(async () => ((await w.api.show({ session: "busy" })).activity.state === "working" ? true : null));
    const timedOut = await w.tmpm(["wait", "busy", "--timeout", "0.5", "--json"]);
    expect(timedOut.code).toBe(5);
    expect(JSON.parse(timedOut.stdout)).toMatchObject({
      error: { code: "TIMEOUT", effect: "none", details: { sessions: [{ name: "busy", activity: "working" }] } },
    });
    await w.api.keys({ session: "busy", keys: ["C-c"] });
    expect((await w.json<SessionAnswer>(["wait", "busy", "--timeout", "60"])).activity.state).toBe("idle");
  });

  test("detects a program's end, with its status and its last lines", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.json(["new", "--name", "job", "--", "sh", "-c", "echo last words; read line; exit 7"]);
    await w.api.keys({ session: "job", keys: ["Enter"] });
    const ended = await w.json<SessionAnswer>(["wait", "job", "exited", "--timeout", "60"]);
    expect(ended).toMatchObject({ state: "stopped", stop_cause: "unexpected", exit: { status: 7, signal: null } });
    const screen = await w.api.capture({ session: "job" });
    expect(screen.live).toBe(false);
    expect(screen.lines).toContain("last words");
  });

  test("stop ends the whole process tree, including programs that ignore SIGHUP", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.json([
      "new",
      "--name",
      "tree",
      "--",
      "sh",
      "-c",
      "sh -c 'trap \"\" HUP; echo $$ > child.pid; while :; do sleep 1; done' & wait",
    ]);
    const pid = await eventually(async () => {
      const text = await readFile(join(w.dir, "child.pid"), "utf8").catch(() => "");
      return text.trim() === "" ? null : Number(text);
    });
    expect(await isAlive(pid)).toBe(true);
    expect((await w.json<StopAnswer>(["stop", "tree", "--grace", "1"])).survivors).toEqual([]);
    expect(await isAlive(pid)).toBe(false);
  });
});
