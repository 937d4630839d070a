import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { CreateAnswer, SessionList } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { type Asked, ask, type Outcome } from "./ask.js";
import { daemonLog, eventually, sharedWorld, world } from "./world.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const ROUNDS = scale >= 10 ? 100 : 3;
const CLIENTS = 12;
/** reliability F20. */
const EXIT_MS = 6_000;
const SESSIONS = ["one", "two", "three"];

/** What is answered soon, and what waits for something. */
function requests(socket: string): Readonly<Record<"short" | "long", readonly Asked[]>> {
  const [one = "", two = "", three = ""] = SESSIONS.map((name) => `/v1/sessions/${name}`);
  const get = (path: string) => ({ socket, method: "GET" as const, path });
  const send = (path: string) => ({ socket, method: "POST" as const, path: `${path}/send`, body: JSON.stringify({ text: ": hello" }) });
  return {
    short: [get("/v1/sessions"), get(one), send(two), get(`${three}/screen`), send(three)],
    long: [
      get(`${one}/wait?until=exited&timeout_ms=60000`),
      { ...get("/v1/events?after=0&type=events_lost"), accept: "text/event-stream" },
      get("/v1/events?after=0&type=events_lost&wait_ms=60000"),
    ],
  };
}

/** Until nobody listens any more. */
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

function ended(daemon: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => daemon.once("close", resolve));
}

describe("a daemon that is told to stop under load", () => {
  test(`${ROUNDS} times answers every request, ends in time and loses no session`, { timeout: 60_000 + ROUNDS * 15_000 }, async () => {
    await using w = await world();
    for (const name of SESSIONS) await w.json<CreateAnswer>(["new", "--name", name]);
    await w.tmpm(["daemon", "stop"]);
    const socket = join(w.home, "run", "tmpm.sock");
    let answered = 0;
    let told = 0;
    let slowest = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const daemon = spawn(process.execPath, [join(import.meta.dirname, "../apps/daemon/dist/main.js")], { env: w.env, stdio: "ignore" });
      const end = ended(daemon);
      await eventually(async () => ((await ask({ socket, method: "GET", path: "/healthz" })).kind === "answered" ? true : null), 30_000);
      const { short, long } = requests(socket);
      const outcomes: Outcome[] = [];
      const clients = Array.from({ length: CLIENTS }, (_, first) => client(first % 3 === 0 ? long : short, { first, outcomes }));
      const busy = Math.floor(Math.random() * 3 * CLIENTS);
      await eventually(async () => (outcomes.length >= busy ? true : null), 30_000);
      const begun = performance.now();
      daemon.kill("SIGTERM");
      expect(await end, "its exit status").toBe(0);
      slowest = Math.max(slowest, performance.now() - begun);
      await Promise.all(clients);
      expect(outcomes.filter(({ kind }) => kind === "unanswered")).toEqual([]);
      const answers = outcomes.flatMap((outcome) => (outcome.kind === "answered" ? [outcome] : []));
      const stopping = answers.filter(({ status }) => status === 503);
      expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
      for (const { text } of stopping) expect(JSON.parse(text).error.code).toBe("SHUTTING_DOWN");
      answered += answers.length;
      told += stopping.length;
    }
    expect(slowest).toBeLessThan(EXIT_MS);
    console.log(
      `${answered} requests answered, ${told} of them told that the daemon stops; the slowest end took ${(slowest / EXIT_MS).toFixed(2)} of the time allowed`,
    );
    const { sessions } = await w.json<SessionList>(["ls"]);
    expect(sessions.map(({ name, state }) => [name, state]).sort()).toEqual(SESSIONS.map((name) => [name, "active"]).sort());
    expect(await daemonLog(w.home)).not.toMatch(/"level":60/);
  });

  test("says to readers of events why their stream ends", { timeout: 60_000 }, async () => {
    await using w = await world();
    await w.json(["ls"]);
    const stream = ask({ socket: join(w.home, "run", "tmpm.sock"), method: "GET", path: "/v1/events", accept: "text/event-stream" });
    await eventually(async () => ((await figure(w.home, "tmpm_event_followers")) === 1 ? true : null));
    await w.tmpm(["daemon", "stop"]);
    expect(await stream).toMatchObject({
      kind: "answered",
      status: 200,
      text: expect.stringMatching(/event: end\ndata: \{"reason":"stopping"\}\n\n$/),
    });
  });
});

async function figure(home: string, name: string): Promise<number | null> {
  const page = await ask({ socket: join(home, "run", "tmpm.sock"), method: "GET", path: "/metrics" });
  if (page.kind !== "answered" || page.status !== 200) return null;
  const value = new RegExp(`^${name} (\\S+)$`, "m").exec(page.text)?.[1];
  return value === undefined ? null : Number(value);
}

describe("a fault that nothing handles", () => {
  const shared = sharedWorld();

  test.each(["fault", "reject"])(
    "ends the daemon with a line in its log and 70, and the next one goes on (%s)",
    { timeout: 90_000 },
    async (kind) => {
      const w = shared();
      const stays = `stays-${kind}`;
      await w.json(["new", "--name", stays]);
      await w.tmpm(["daemon", "stop"]);
      const before = (await daemonLog(w.home)).length;
      const daemon = spawn(process.execPath, [join(import.meta.dirname, "../apps/daemon/dist/main.js")], {
        env: { ...w.env, TMPM_FAILPOINT: `create.intended:${kind}` },
        stdio: "ignore",
      });
      const end = ended(daemon);
      const socket = join(w.home, "run", "tmpm.sock");
      await eventually(async () => ((await ask({ socket, method: "GET", path: "/healthz" })).kind === "answered" ? true : null), 30_000);
      await ask({
        socket,
        method: "POST",
        path: "/v1/sessions",
        body: JSON.stringify({ agent: "shell", cwd: w.dir, name: `other-${kind}` }),
      });
      expect(await end).toBe(70);
      expect((await daemonLog(w.home)).slice(before)).toMatch(
        /"level":60.*failed at create\.intended, as asked.*a fault that nothing handled/,
      );
      const { sessions } = await w.json<SessionList>(["ls"]);
      expect(sessions.find(({ name }) => name === stays)).toMatchObject({ state: "active" });
    },
  );
});
