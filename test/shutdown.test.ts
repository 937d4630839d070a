import { spawn } from "node:child_process";
import { join } from "node:path";
import type { CreateAnswer, SessionList } from "@tmpm/api";
import { beforeAll, describe, expect, test } from "vitest";
import { type Asked, ask, type Outcome } from "./ask.js";
import { daemonLog, eventually, type Fixture, sharedFixture } from "./fixture.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const seed = Number(process.env.TMPM_TEST_SEED ?? 0);
const ROUNDS = scale >= 10 ? 100 : 2;
const CLIENTS = 12;
/** reliability F20. */
const EXIT_MS = 6_000;
const SESSIONS = ["one", "two", "three"];
const MAIN = join(import.meta.dirname, "../apps/daemon/dist/main.js");

/** A request that is answered soon, and one that waits. */
function requests(socket: string): Readonly<Record<"short" | "long", readonly Asked[]>> {
  const [one = "", two = "", three = ""] = SESSIONS.map((name) => `/v1/sessions/${name}`);
  const get = (path: string) => ({ socket, method: "GET" as const, path });
  const send = (path: string) => ({ socket, method: "POST" as const, path: `${path}/send`, body: JSON.stringify({ text: ": hello" }) });
  return {
    short: [get("/v1/sessions"), get(one), send(two), get(`${three}/screen`), send(three)],
    long: [
      get(`${one}/wait?until=exited&timeout_ms=3600000`),
      { ...get("/v1/events?after=0&type=events_lost"), accept: "text/event-stream" },
      get("/v1/events?after=0&type=events_lost&wait_ms=60000"),
    ],
  };
}

/** Until the socket is closed. */
async function client(
  kinds: readonly Asked[],
  { first, outcomes }: { readonly first: number; readonly outcomes: Outcome[] },
): Promise<void> {
  for (let turn = first; ; turn += 1) {
    const asked = kinds[turn % kinds.length];
    if (asked === undefined) throw new RangeError("nothing to ask");
    const outcome = await ask(asked);
    outcomes.push(outcome);
    if (outcome.kind !== "answered") return;
  }
}

interface Daemon {
  /** The daemon's exit status. */
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): boolean;
}

/** Resolves once it answers. */
async function startDaemon(w: Fixture, env: Readonly<Record<string, string>> = {}): Promise<Daemon> {
  const child = spawn(process.execPath, [MAIN], { env: { ...w.env, ...env }, stdio: "ignore" });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await eventually(async () => ((await ask({ socket: socketOf(w), method: "GET", path: "/healthz" })).kind === "answered" ? true : null));
  return { ended, kill: (signal) => child.kill(signal) };
}

function socketOf(w: Fixture): string {
  return join(w.home, "run", "tmpm.sock");
}

const shared = sharedFixture();

beforeAll(async () => {
  for (const name of SESSIONS) await shared().json<CreateAnswer>(["new", "--name", name]);
}, 180_000);

/** The next daemon's result for the sessions. */
async function states(w: Fixture): Promise<readonly string[]> {
  const { sessions } = await w.json<SessionList>(["ls"]);
  return SESSIONS.map((each) => `${each} ${sessions.find(({ name }) => name === each)?.state}`);
}

const ALL_ACTIVE = SESSIONS.map((name) => `${name} active`);

describe("daemon shutdown under load", () => {
  test(`${ROUNDS} times answers every request, ends in time and loses no session`, { timeout: 120_000 + ROUNDS * 60_000 }, async () => {
    const w = shared();
    await w.stopDaemon();
    const before = (await daemonLog(w.home)).length;
    const socket = socketOf(w);
    let answered = 0;
    let refused = 0;
    let slowest = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const daemon = await startDaemon(w);
      const { short, long } = requests(socket);
      const outcomes: Outcome[] = [];
      const clients = Array.from({ length: CLIENTS }, (_, first) => client(first % 3 === 0 ? long : short, { first, outcomes }));
      const busy = (seed + 7 * round) % (3 * CLIENTS);
      await eventually(async () => (outcomes.length >= busy ? true : null));
      const begun = performance.now();
      daemon.kill("SIGTERM");
      expect(await daemon.ended, "its exit status").toBe(0);
      slowest = Math.max(slowest, performance.now() - begun);
      await Promise.all(clients);
      expect(outcomes.filter(({ kind }) => kind === "unanswered")).toEqual([]);
      const answers = outcomes.flatMap((outcome) => (outcome.kind === "answered" ? [outcome] : []));
      const stopping = answers.filter(({ status }) => status === 503);
      expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
      for (const { text } of stopping) expect(JSON.parse(text).error.code).toBe("SHUTTING_DOWN");
      answered += answers.length;
      refused += stopping.length;
    }
    if (scale >= 10) expect(slowest).toBeLessThan(EXIT_MS);
    console.log(
      `${answered} requests answered, ${refused} of them refused because the daemon stops; the slowest end took ${(slowest / EXIT_MS).toFixed(2)} of the time allowed`,
    );
    expect(await states(w)).toEqual(ALL_ACTIVE);
    expect((await daemonLog(w.home)).slice(before)).not.toMatch(/"level":60/);
  });

  test("reports the reason to readers of events", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.json(["ls"]);
    const stream = ask({ socket: socketOf(w), method: "GET", path: "/v1/events", accept: "text/event-stream" });
    await eventually(async () => ((await figure(w, "tmpm_event_followers")) === 1 ? true : null));
    await w.stopDaemon();
    expect(await stream).toMatchObject({
      kind: "answered",
      status: 200,
      text: expect.stringMatching(/event: end\ndata: \{"reason":"stopping"\}\n\n$/),
    });
  });
});

async function figure(w: Fixture, name: string): Promise<number | null> {
  const page = await ask({ socket: socketOf(w), method: "GET", path: "/metrics" });
  if (page.kind !== "answered" || page.status !== 200) return null;
  const value = new RegExp(`^${name} (\\S+)$`, "m").exec(page.text)?.[1];
  return value === undefined ? null : Number(value);
}

describe("unhandled error", () => {
  test.each(["fault", "reject"])(
    "ends the daemon with a line in its log and exit code 70, and the next one continues (%s)",
    { timeout: 180_000 },
    async (kind) => {
      const w = shared();
      await w.stopDaemon();
      const before = (await daemonLog(w.home)).length;
      const daemon = await startDaemon(w, { TMPM_FAILPOINT: `create.intended:${kind}` });
      const body = JSON.stringify({ agent: "shell", cwd: w.dir, name: `other-${kind}` });
      expect(await ask({ socket: socketOf(w), method: "POST", path: "/v1/sessions", body })).toMatchObject({ kind: "unanswered" });
      expect(await daemon.ended).toBe(70);
      expect((await daemonLog(w.home)).slice(before)).toMatch(/"level":60.*failed at create\.intended, as requested.*an unhandled fault/);
      expect(await states(w)).toEqual(ALL_ACTIVE);
    },
  );
});
