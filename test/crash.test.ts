import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CreateAnswer, SendAnswer, SessionAnswer, SessionList } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { eventually, isAlive, type World, world } from "./world.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "0" } = process.env;
/** Of one operation in three one step, as the seed says; all at full scale. `test/failpoints.test.ts` samples other operations. */
function stepsOf(op: string, names: readonly string[]): readonly string[] {
  const seed = Number(TMPM_TEST_SEED);
  const chosen = ["create", "stop", "resume"][seed % 3] === op;
  const tried = Number(TMPM_TEST_SCALE) >= 10 ? names : names.filter((_, index) => chosen && index === seed % names.length);
  return tried.map((name) => `${op}.${name}`);
}

const CREATE_STEPS = stepsOf("create", ["intended", "opened", "confirmed", "recorded"]);
const STOP_STEPS = stepsOf("stop", ["intended", "asked", "killed", "recorded"]);
const RESUME_STEPS = stepsOf("resume", ["intended", "opened", "confirmed", "recorded"]);

const essentials = ({ sessions }: SessionList) => sessions.map(({ id, name, state, pane, pid }) => ({ id, name, state, pane, pid }));

async function killDaemon(w: World): Promise<void> {
  const pid = await w.daemonPid();
  process.kill(pid, "SIGKILL");
  await eventually(async () => ((await isAlive(pid)) ? null : true));
}

/** Restarts the daemon so that it dies at the step. */
async function armed(w: World, step: string): Promise<void> {
  await w.tmpm(["daemon", "stop"]);
  expect((await w.tmpm(["daemon", "start"], { env: { TMPM_FAILPOINT: `${step}:kill` } })).code).toBe(0);
}

/** The one session once nothing of it is unfinished. */
async function settled(w: World): Promise<SessionAnswer> {
  await w.json<SessionList>(["ls"]);
  return eventually(async () => {
    const { sessions } = await w.api.list();
    const [session] = sessions;
    return session !== undefined && session.intent === null ? session : null;
  });
}

describe("kill -9 of the daemon", () => {
  test("three sessions live on, and the next command shows the same three", { timeout: 60_000 }, async () => {
    await using w = await world();
    for (const name of ["one", "two", "three"]) await w.json(["new", "--name", name]);
    const before = essentials(await w.json<SessionList>(["ls"]));
    await killDaemon(w);
    expect(essentials(await w.json<SessionList>(["ls"]))).toEqual(before);
    for (const name of ["one", "two", "three"]) {
      expect((await w.json<SendAnswer>(["send", name, "echo alive"])).receipt.outcome).toBe("submitted");
    }
  });

  test.each(CREATE_STEPS)(
    "at %s: the session is taken over or said to have failed, and nothing is unknown",
    { timeout: 60_000 },
    async (step) => {
      await using w = await world();
      await armed(w, step);
      expect((await w.tmpm(["new", "--name", "demo"])).code).not.toBe(0);
      const session = await settled(w);
      expect(session.state).toBe(step === "create.intended" ? "errored" : "active");
      await expectNothingUnknown(w, session.id);
      if (session.state === "active") expect((await w.json<SendAnswer>(["send", "demo", "echo alive"])).receipt.outcome).toBe("submitted");
      else expect((await w.json<SessionAnswer>(["resume", "demo"])).state).toBe("active");
    },
  );

  test.each(STOP_STEPS)("at %s: the stop is finished", { timeout: 60_000 }, async (step) => {
    await using w = await world();
    const session = await w.json<CreateAnswer>(["new", "--name", "demo"]);
    await armed(w, step);
    expect((await w.tmpm(["stop", "demo"])).code).not.toBe(0);
    expect(await settled(w)).toMatchObject({ id: session.id, state: "stopped", stop_cause: "deliberate" });
    await expectNothingUnknown(w, session.id);
    expect((await w.json<SessionAnswer>(["resume", "demo"])).state).toBe("active");
  });

  test.each(RESUME_STEPS)("at %s: the session runs, or can be resumed", { timeout: 60_000 }, async (step) => {
    await using w = await world();
    const session = await w.json<CreateAnswer>(["new", "--name", "demo"]);
    await w.json(["stop", "demo"]);
    await armed(w, step);
    expect((await w.tmpm(["resume", "demo"])).code).not.toBe(0);
    const after = await settled(w);
    expect(after.id).toBe(session.id);
    expect(after.state).toBe(step === "resume.intended" ? "errored" : "active");
    await expectNothingUnknown(w, session.id);
  });
});

/** Every tmux session is the one we know, and its pane still obeys. */
async function expectNothingUnknown(w: World, id: string): Promise<void> {
  const listed = await w.tmux("list-panes", "-a", "-F", "#{session_name} #{@tmpm_id} #{pane_dead}").catch(() => "");
  const rows = listed.split("\n").flatMap((row) => /^tmpm-\S+ (.*)$/.exec(row)?.[1] ?? []);
  expect(rows.length).toBeLessThanOrEqual(1);
  for (const row of rows) expect(row).toBe(`${id} 0`);
}

describe("the tmux server", () => {
  test("killed under two sessions: both are stopped unexpectedly, resume, and nothing else changes", { timeout: 60_000 }, async () => {
    await using w = await world({ TMPM_AUTO_RESUME: "off" });
    for (const name of ["one", "two", "rest"]) await w.json(["new", "--name", name]);
    await w.json(["stop", "rest"]);
    const pid = Number((await w.tmux("display-message", "-p", "#{pid}")).trim());
    process.kill(pid, "SIGKILL");
    const list = await eventually(async () => {
      const answer = await w.api.list();
      return answer.sessions.every(({ state }) => state === "stopped") ? answer : null;
    });
    expect(Object.fromEntries(list.sessions.map(({ name, stop_cause }) => [name, stop_cause]))).toEqual({
      one: "unexpected",
      two: "unexpected",
      rest: "deliberate",
    });
    for (const name of ["one", "two"]) expect((await w.json<SessionAnswer>(["resume", name])).state).toBe("active");
  });

  test("stopped for 5 s: no record changes, ls answers, the rest say exit 6 in time, and all is well afterwards", {
    timeout: 90_000,
  }, async () => {
    await using w = await world();
    for (const name of ["one", "two"]) await w.json(["new", "--name", name]);
    const before = essentials(await w.json<SessionList>(["ls"]));
    const pid = Number((await w.tmux("display-message", "-p", "#{pid}")).trim());
    process.kill(pid, "SIGSTOP");
    try {
      const started = Date.now();
      const failures = await Promise.all([
        w.tmpm(["capture", "one", "--json"]),
        w.tmpm(["send", "two", "echo late", "--json"]),
        w.tmpm(["stop", "one", "--json"]),
      ]);
      const took = Date.now() - started;
      expect(failures.map(({ code }) => code)).toEqual([6, 6, 6]);
      for (const { stdout } of failures) expect(JSON.parse(stdout)).toMatchObject({ error: { code: "TMUX_UNRESPONSIVE" } });
      expect(took).toBeLessThan(15_000);
      expect(essentials(await w.json<SessionList>(["ls"]))).toEqual(before);
      await eventually(async () => (Date.now() - started >= 5_000 ? true : null));
      expect(essentials(await w.json<SessionList>(["ls"]))).toEqual(before);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await eventually(async () => ((await w.tmpm(["capture", "one"])).code === 0 ? true : null), 15_000);
    for (const name of ["one", "two"]) expect((await w.json<SendAnswer>(["send", name, "echo alive"])).receipt.outcome).toBe("submitted");
    expect(essentials(await w.json<SessionList>(["ls"])).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test("a server of the user's own notices nothing", { timeout: 60_000 }, async () => {
    await using w = await world();
    const run = promisify(execFile);
    const socket = join(w.dir, "own.sock");
    const own = (...argv: string[]) => run("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...argv]);
    await own("new-session", "-d", "-s", "tmpm-mine", "cat");
    try {
      const snapshot = async () => {
        const [sessions, options, buffers] = await Promise.all([
          own("list-panes", "-a", "-F", "#{session_name} #{pane_pid} #{pane_dead}"),
          own("show-options", "-g"),
          own("list-buffers"),
        ]);
        return [sessions.stdout, options.stdout, buffers.stdout];
      };
      const before = await snapshot();
      await w.json(["new", "--name", "mine"], { env: { TMUX: `${socket},1,0` } });
      await w.json(["send", "mine", "echo x"]);
      await w.json(["rm", "mine"]);
      expect(await snapshot()).toEqual(before);
    } finally {
      await own("kill-server");
    }
  });
});
