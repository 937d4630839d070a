import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SessionAnswer, SessionList } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { eventually, type Fixture, fixture, gone, sharedFixture, untilNoClientConnects } from "./fixture.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "0" } = process.env;
/** One step of every third operation, selected by the seed; all at full scale. `test/failpoints.test.ts` samples other operations. */
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

async function killDaemon(w: Fixture): Promise<void> {
  const pid = await w.daemonPid();
  process.kill(pid, "SIGKILL");
  await gone(pid);
}

/** The first daemon is started by a command, which starts one if none runs. */
async function createAll(w: Fixture, [first = "", ...others]: readonly string[]): Promise<void> {
  await w.json(["new", "--name", first]);
  for (const name of others) await w.api.create({ name, cwd: w.dir });
}

async function expectObeying(w: Fixture, sessions: readonly string[]): Promise<void> {
  for (const session of sessions) expect((await w.api.send({ session, text: "echo alive" })).receipt.outcome).toBe("submitted");
}

/** Starts a daemon that dies at the step. */
async function armed(w: Fixture, step: string): Promise<void> {
  expect((await w.tmpm(["daemon", "start"], { env: { TMPM_FAILPOINT: `${step}:kill` } })).code).toBe(0);
}

/** The only session, once none of its operations is unfinished. */
async function settled(w: Fixture): Promise<SessionAnswer> {
  await w.json<SessionList>(["ls"]);
  return eventually(async () => {
    const { sessions } = await w.api.list();
    const [session] = sessions;
    return session !== undefined && session.intent === null ? session : null;
  });
}

describe("kill -9 of the daemon", () => {
  test.each(CREATE_STEPS)(
    "at %s: the session is taken over or reported as failed, and no state is unknown",
    { timeout: 180_000 },
    async (step) => {
      await using w = await fixture();
      await armed(w, step);
      expect((await w.tmpm(["new", "--name", "demo"])).code).not.toBe(0);
      const session = await settled(w);
      expect(session.state).toBe(step === "create.intended" ? "errored" : "active");
      await expectNothingUnknown(w, session);
      if (session.state === "active") await expectObeying(w, ["demo"]);
      else expect((await w.api.resume({ session: "demo" })).state).toBe("active");
    },
  );

  test.each(STOP_STEPS)("at %s: the stop is finished", { timeout: 180_000 }, async (step) => {
    await using w = await fixture();
    await armed(w, step);
    const session = await w.api.create({ name: "demo", cwd: w.dir });
    expect((await w.tmpm(["stop", "demo"])).code).not.toBe(0);
    const after = await settled(w);
    expect(after).toMatchObject({ id: session.id, state: "stopped", stop_cause: "deliberate" });
    await expectNothingUnknown(w, after);
    expect((await w.api.resume({ session: "demo" })).state).toBe("active");
  });

  test.each(RESUME_STEPS)("at %s: the session runs, or can be resumed", { timeout: 180_000 }, async (step) => {
    await using w = await fixture();
    await armed(w, step);
    const session = await w.api.create({ name: "demo", cwd: w.dir });
    await w.api.stop({ session: "demo" });
    expect((await w.tmpm(["resume", "demo"])).code).not.toBe(0);
    const after = await settled(w);
    expect(after.id).toBe(session.id);
    expect(after.state).toBe(step === "resume.intended" ? "errored" : "active");
    await expectNothingUnknown(w, after);
  });
});

/** Every tmux session is the known one, and its pane still responds. */
async function expectNothingUnknown(w: Fixture, { id, state }: SessionAnswer): Promise<void> {
  if (state === "active") await untilNoClientConnects(w, id);
  const listed = await w.tmux("list-panes", "-a", "-F", "#{session_name} #{@tmpm_id} #{pane_dead}").catch(() => "");
  const rows = listed.split("\n").flatMap((row) => /^tmpm-\S+ (.*)$/.exec(row)?.[1] ?? []);
  expect(rows.length).toBeLessThanOrEqual(1);
  for (const row of rows) expect(row).toBe(`${id} 0`);
}

describe("user of the daemon and the tmux server", () => {
  const shared = sharedFixture({ TMPM_AUTO_RESUME: "off" });

  test("has the same three sessions after the daemon is killed", { timeout: 180_000 }, async () => {
    const w = shared();
    const names = ["one", "two", "three"];
    await createAll(w, names);
    const before = essentials(await w.api.list());
    await killDaemon(w);
    expect(essentials(await w.json<SessionList>(["ls"]))).toEqual(before);
    await expectObeying(w, names);
  });

  test("gets exit 6 in time while the server is stopped for 5 s; no record changes, ls answers, and all recovers", {
    timeout: 240_000,
  }, async () => {
    const w = shared();
    const names = ["left", "right"];
    await createAll(w, names);
    const before = essentials(await w.api.list());
    const pid = await serverPid(w);
    process.kill(pid, "SIGSTOP");
    try {
      const started = Date.now();
      const [failed, ...errors] = await Promise.all([
        w.tmpm(["capture", "left", "--json"]),
        ...[w.api.send({ session: "right", text: "echo late" }), w.api.stop({ session: "left" })].map(errorOf),
      ]);
      expect(failed.code).toBe(6);
      expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: "TMUX_UNRESPONSIVE" } });
      for (const error of errors) expect(error).toMatchObject({ code: "TMUX_UNRESPONSIVE" });
      expect(essentials(await w.json<SessionList>(["ls"]))).toEqual(before);
      await eventually(async () => (Date.now() - started >= 5_000 ? true : null));
      expect(essentials(await w.api.list())).toEqual(before);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await eventually(async () => ((await errorOf(w.api.capture({ session: "left" }))) === null ? true : null));
    await expectObeying(w, names);
    expect(essentials(await w.api.list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test("resumes stopped sessions after the server is killed, and nothing else changes", {
    timeout: 180_000,
  }, async () => {
    const w = shared();
    const names = ["lost", "gone", "rest"];
    await createAll(w, names);
    await w.api.stop({ session: "rest" });
    process.kill(await serverPid(w), "SIGKILL");
    const list = await eventually(async () => {
      const answer = await w.api.list();
      return answer.sessions.every(({ state }) => state === "stopped") ? answer : null;
    });
    const causes = Object.fromEntries(list.sessions.map(({ name, stop_cause }) => [name, stop_cause]));
    expect(causes).toMatchObject({ lost: "unexpected", gone: "unexpected", rest: "deliberate" });
    for (const session of names.slice(0, 2)) expect((await w.api.resume({ session })).state).toBe("active");
  });

  test("has a separate tmux server, which is not affected", { timeout: 180_000 }, async () => {
    const w = shared();
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
      const env = { TMUX: `${socket},1,0` };
      await w.json(["new", "--name", "mine"], { env });
      await w.json(["send", "mine", "echo x"], { env });
      await w.json(["rm", "mine"], { env });
      expect(await snapshot()).toEqual(before);
    } finally {
      await own("kill-server");
    }
  });
});

async function serverPid(w: Fixture): Promise<number> {
  const { sessions } = await w.api.list();
  const pid = sessions.find(({ state }) => state === "active")?.pane?.server_pid;
  if (pid === undefined) throw new Error("no session names the server");
  return pid;
}

function errorOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => null,
    (error: unknown) => error,
  );
}
