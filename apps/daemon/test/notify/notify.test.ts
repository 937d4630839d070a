import { createHmac } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveSettings, type SettingKey } from "@tmpm/api/config";
import { type EventBody, hasErrno } from "@tmpm/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { noticesArrive } from "../../src/doctor/daemon-state.js";
import { commandChannel } from "../../src/notify/command-channel.js";
import { desktopChannel } from "../../src/notify/desktop-channel.js";
import { type Notice, noticeEntry, noticeOf } from "../../src/notify/notice.js";
import { notifier, type Seen } from "../../src/notify/notifier.js";
import { outbox } from "../../src/notify/outbox.js";
import { quietFor } from "../../src/notify/quiet-hours.js";
import { webhookChannel } from "../../src/notify/webhook-channel.js";

const ID = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const START = Date.parse("2026-01-02T12:00:00Z");
const never = new AbortController().signal;

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "tmpm-notify-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return dir;
}

/** Sessions and a clock, both set by the test. */
function stage(file: Partial<Record<SettingKey, unknown>> = {}) {
  let nowMs = START;
  const sessions = new Map<string, Seen>();
  const sent: Notice[] = [];
  const faults: unknown[] = [];
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const values = resolveSettings({ env: {}, file: new Map(Object.entries(file) as [SettingKey, unknown][]) }).values;
  const gathered = notifier({
    settings: () => values,
    look: async (id) => sessions.get(id) ?? null,
    notify: (notice) => sent.push(notice),
    now: () => new Date(nowMs),
    later(ms, run) {
      const timer = { at: nowMs + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    newId: () => "notice-1",
    report: ({ error }) => faults.push(error),
  });
  const is = (n: number, seen: Partial<Seen>) => {
    const known: Seen = {
      ...{ id: ID(n), name: `s${n}`, project_id: "default", agent: "claude", state: "active", activity: "idle" },
      ...{ question: null, hint: null, viewers: 0, paused: false, asks: false, notify: null },
    };
    sessions.set(ID(n), { ...known, ...sessions.get(ID(n)), ...seen });
  };
  const at = () => new Date(nowMs).toISOString();
  return {
    sent,
    faults,
    is,
    hear: (event: object) => gathered.hear({ at: at(), ...event } as EventBody),
    /** Sets the session's state, with an event. */
    does(n: number, state: string) {
      is(n, { activity: state });
      const activity = {
        state,
        source: "screen",
        confidence: 1,
        since: at(),
        observed_at: at(),
        expires_at: null,
        evidence: [],
        limit: null,
      };
      gathered.hear({ type: "session_activity_changed", at: at(), session_id: ID(n), activity } as EventBody);
    },
    async pass(seconds: number) {
      const end = nowMs + seconds * 1000;
      for (;;) {
        const [next] = [...timers].filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        nowMs = next.at;
        next.run();
        await new Promise((resolve) => setImmediate(resolve));
      }
      nowMs = end;
    },
    titles: () => sent.map(({ title }) => title),
    pending: gathered.pending,
  };
}

describe("notices", () => {
  test("a session that needs the user is reported once, with its question", async () => {
    const s = stage();
    s.is(1, { question: "rm -rf build" });
    s.does(1, "awaiting_approval");
    await s.pass(4);
    expect(s.sent).toEqual([]);
    await s.pass(60);
    s.does(1, "unknown");
    s.does(1, "awaiting_approval");
    await s.pass(60);
    expect(s.sent).toMatchObject([
      {
        kind: "needs_you",
        title: "s1 waits for your approval",
        entries: [{ session: "s1", question: "rm -rf build", activity: "awaiting_approval" }],
      },
    ]);
    expect(JSON.stringify([s.sent[0]?.title, s.sent[0]?.body])).not.toContain("rm -rf");
    s.does(1, "working");
    s.does(1, "awaiting_input");
    await s.pass(10);
    expect(s.titles()).toEqual(["s1 waits for your approval", "s1 waits for your answer"]);
  });

  test("events within the window become one notice, the most urgent first", async () => {
    const s = stage();
    for (const n of [1, 2, 3]) s.does(n, "working");
    await s.pass(30);
    s.does(1, "idle");
    s.hear({ type: "session_exited", session_id: ID(2), status: 3, signal: null, last_line: null });
    s.is(2, { state: "stopped", activity: "exited" });
    s.does(3, "blocked");
    await s.pass(10);
    expect(s.sent).toMatchObject([
      {
        title: "3 sessions: 1 needs you, 1 failed, 1 finished",
        body: "s3 is blocked by a dialog\ns2 ended with status 3\ns1 has finished",
      },
    ]);
  });

  test("a failure is reported as a failure, even when the agent is ready again", async () => {
    const s = stage();
    s.does(1, "working");
    await s.pass(30);
    s.hear({ type: "turn_ended", session_id: ID(1), turn_id: "t", outcome: "failed", cause: null, code: "AGENT_FAILED" });
    s.does(1, "idle");
    await s.pass(10);
    expect(s.titles()).toEqual(["s1 failed at a prompt (AGENT_FAILED)"]);
  });

  test.each([
    ["a report", { type: "session_reported", kind: "blocked", to: null }, "s1 reports that it cannot continue"],
    ["a budget", { type: "budget_reached", percent: 100, scope: "session" }, "s1 has used up its budget"],
    ["a question", { type: "question_asked" }, "s1 asks a question"],
  ])("%s that needs the user is reported, also when the agent is ready in the same window", async (_, event, title) => {
    const s = stage();
    s.does(1, "working");
    await s.pass(30);
    s.is(1, { asks: true });
    s.hear({ session_id: ID(1), ...event });
    s.does(1, "idle");
    await s.pass(10);
    expect(s.titles()).toEqual([title]);
    s.does(1, "working");
    await s.pass(30);
    s.does(1, "idle");
    s.hear({ session_id: ID(1), ...event });
    await s.pass(10);
    expect(s.titles()).toEqual([title, title]);
  });

  test("what is obsolete at the end of the window hides nothing, and a later report replaces an earlier one", async () => {
    const s = stage();
    s.does(1, "working");
    await s.pass(30);
    s.is(1, { asks: false });
    s.hear({ type: "question_asked", session_id: ID(1) });
    s.does(1, "idle");
    s.hear({ type: "session_reported", session_id: ID(2), kind: "blocked", to: null });
    s.hear({ type: "session_reported", session_id: ID(2), kind: "done", to: null });
    s.is(2, {});
    expect(s.pending()).toBe(2);
    await s.pass(10);
    expect(s.sent).toMatchObject([{ body: "s1 has finished\ns2 reports that it is done" }]);
  });

  test("short work is not reported, nor is a state that ended within the window", async () => {
    const s = stage();
    s.does(1, "working");
    await s.pass(2);
    s.does(1, "idle");
    s.does(2, "working");
    await s.pass(30);
    s.does(2, "idle");
    await s.pass(1);
    s.does(2, "working");
    s.does(3, "awaiting_approval");
    await s.pass(1);
    s.does(3, "working");
    await s.pass(60);
    expect(s.titles()).toEqual([]);
  });

  test("watched, paused, deleted and muted sessions cause no notice", async () => {
    const s = stage();
    s.is(1, { viewers: 1 });
    s.is(2, { paused: true });
    s.is(3, { notify: "off" });
    for (const n of [1, 2, 3]) s.does(n, "awaiting_input");
    s.hear({ type: "session_exited", session_id: ID(4), status: 1, signal: null, last_line: null });
    await s.pass(30);
    expect([s.titles(), s.faults]).toEqual([[], []]);
    const marked = stage({ "notify.sessions": "marked", "notify.of": ["failed"] });
    marked.is(1, { notify: "on", state: "stopped" });
    for (const n of [1, 2]) {
      marked.does(n, "awaiting_input");
      marked.hear({ type: "session_exited", session_id: ID(n), status: null, signal: 9, last_line: null });
    }
    await marked.pass(30);
    expect(marked.titles()).toEqual(["s1 was ended by signal 9"]);
  });

  test.each([
    [{ type: "session_exited", status: 0, signal: null, last_line: null }, "s1 has ended"],
    [{ type: "turn_ended", turn_id: "t", outcome: "failed", cause: null, code: "AGENT_FAILED" }, "s1 failed at a prompt (AGENT_FAILED)"],
    [{ type: "turn_ended", turn_id: "t", outcome: "cancelled", cause: "client_rpc" }, null],
    [{ type: "turn_ended", turn_id: "t", outcome: "failed", cause: null, code: "PANE_DEAD", reason: "session_exited" }, null],
    [
      { type: "session_state_changed", from: "active", to: "stopped", cause: "unexpected", reason: "terminal_gone" },
      "s1 has lost its terminal",
    ],
    [{ type: "session_state_changed", from: "active", to: "stopped", cause: "deliberate", reason: "asked" }, null],
    [{ type: "session_state_changed", from: "active", to: "errored", cause: null }, "s1 could not resume"],
    [{ type: "auto_resume_parked", deaths: 3 }, "s1 keeps ending and is no longer resumed"],
    [{ type: "session_stopped", cause: "deliberate" }, null],
  ])("%j is reported as %j", async (event, title) => {
    const s = stage();
    s.is(1, { state: "stopped", activity: "exited" });
    s.hear({ session_id: ID(1), ...event });
    await s.pass(30);
    expect(s.titles()).toEqual(title === null ? [] : [title]);
  });

  test.each([
    { type: "session_state_changed", from: "active", to: "stopped", cause: "unexpected", reason: "terminal_gone" },
    { type: "session_exited", status: 1, signal: null, last_line: null },
    { type: "session_state_changed", from: "active", to: "errored", cause: null },
  ])("%j is not reported if the session runs again", async (event) => {
    const s = stage();
    s.is(1, { state: "stopped", activity: "exited" });
    s.hear({ session_id: ID(1), ...event });
    s.is(1, { state: "active", activity: "idle" });
    await s.pass(30);
    expect(s.titles()).toEqual([]);
  });

  test("wait during quiet hours, and those still true are sent afterwards", async () => {
    const hours = (from: number, to: number) =>
      [from, to]
        .map((ms) => new Date(ms))
        .map((date) => `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`)
        .join("-");
    const s = stage({ "notify.quiet_hours": hours(START - 3_600_000, START + 3_600_000) });
    s.does(1, "awaiting_approval");
    s.does(2, "awaiting_approval");
    await s.pass(1_800);
    s.does(2, "working");
    expect([s.titles(), s.pending()]).toEqual([[], 2]);
    await s.pass(1_900);
    expect(s.titles()).toEqual(["s1 waits for your approval"]);
  });

  test("quiet hours may span midnight", () => {
    const at = (hour: number, minute: number) => quietFor("22:00-07:30", new Date(2026, 0, 2, hour, minute)) / 60_000;
    expect([at(21, 59), at(22, 0), at(23, 30), at(0, 0), at(7, 29), at(7, 30), at(12, 0)]).toEqual([0, 570, 480, 450, 1, 0, 0]);
    expect(quietFor(null, new Date())).toBe(0);
  });
});

const SEEN: Seen = {
  ...{ id: ID(1), name: "demo", project_id: "web", agent: "claude", state: "active", activity: "awaiting_approval" },
  ...{ question: "$(touch /tmp/x) `id` \"'", hint: null, viewers: 0, paused: false, asks: false, notify: null },
};
const NOTICE = noticeOf([noticeEntry({ session_id: ID(1), kind: "needs_you", at: "2026-01-02T03:04:05Z", message: null }, SEEN)], {
  id: "n1",
  at: "2026-01-02T03:04:06Z",
});

function script(dir: string, name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o700);
  return path;
}

describe("the command channel", () => {
  test("the command gets the notice on standard input and in its environment, and its arguments unchanged", async () => {
    const dir = await folder();
    const program = script(
      dir,
      "notified",
      `cat > "${dir}/input"; printf '%s|%s|%s' "$TMPM_NOTICE_TITLE" "$TMPM_NOTICE" "$1" > "${dir}/env"`,
    );
    await commandChannel({ argv: () => [program, "a b; $(id)"], env: { PATH: process.env.PATH } }).send(NOTICE, { signal: never });
    expect(JSON.parse(readFileSync(join(dir, "input"), "utf8"))).toEqual(NOTICE);
    expect(readFileSync(join(dir, "env"), "utf8")).toBe(`demo waits for your approval|${JSON.stringify(NOTICE)}|a b; $(id)`);
  });

  test("a command that fails, is missing, or hangs with its children is counted as failed", async () => {
    const dir = await folder();
    const send = (argv: readonly string[], timeoutMs = 20_000) =>
      commandChannel({ argv: () => argv, env: { PATH: process.env.PATH }, timeoutMs }).send(NOTICE, { signal: never });
    await expect(send([script(dir, "bad", "echo oops >&2; exit 3")])).rejects.toThrow("ended with status 3: oops");
    await expect(send([join(dir, "missing")])).rejects.toThrow("could not be run");
    await expect(send(["true", "x".repeat(200_000)])).rejects.toThrow("could not be run: spawn E2BIG");
    await expect(send([script(dir, "slow", `sleep 60 & echo $! > "${dir}/pid"; wait`)], 1_000)).rejects.toThrow("did not end within 1 s");
    if (existsSync(join(dir, "pid"))) {
      const pid = Number(readFileSync(join(dir, "pid"), "utf8"));
      if (pid === 0) return;
      await expect.poll(() => isAlive(pid)).toBe(false);
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    if (hasErrno(error, "ESRCH", "ENOENT")) return false;
    throw error;
  }
}

describe("the desktop channel", () => {
  test("notify-send does not get the agent's text, and gets plain text instead of markup", async () => {
    const dir = await folder();
    script(dir, "notify-send", `for each in "$@"; do printf '%s\\n' "$each"; done > "${dir}/argv"`);
    const env = { PATH: `${dir}:${process.env.PATH}`, DISPLAY: ":0" };
    const channel = desktopChannel({ wanted: () => true, platform: "linux", env });
    await channel.send({ ...NOTICE, body: "<b>&" }, { signal: never });
    expect(readFileSync(join(dir, "argv"), "utf8").split("\n")).toEqual([
      "--app-name=tmpm",
      "--urgency=normal",
      "--",
      "demo waits for your approval",
      "&lt;b&gt;&amp;",
      "",
    ]);
    expect(channel.target()).toBe("notify-send");
    await expect(desktopChannel({ wanted: () => true, platform: "linux", env: {} }).send(NOTICE, { signal: never })).rejects.toThrow(
      "no desktop",
    );
  });

  test("osascript is used on macOS, with a constant script", async () => {
    const dir = await folder();
    script(dir, "osascript", `printf '%s\\n' "$#" "$2" "$4" "$6" "$8" "$9" > "${dir}/argv"`);
    await desktopChannel({ wanted: () => true, platform: "darwin", env: { PATH: `${dir}:${process.env.PATH}` } }).send(NOTICE, {
      signal: never,
    });
    expect(readFileSync(join(dir, "argv"), "utf8").split("\n").slice(0, 5)).toEqual([
      "9",
      "on run argv",
      "display notification (item 2 of argv) with title (item 1 of argv)",
      "end run",
      NOTICE.title,
    ]);
  });
});

describe("the webhook channel", () => {
  async function hook(answer: (count: number) => { readonly status: number; readonly headers?: Record<string, string> } | null) {
    const got: { readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string | undefined }[] = [];
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      got.push({ headers: request.headers, body: Buffer.concat(parts).toString(), path: request.url });
      const said = answer(got.length);
      if (said !== null) response.writeHead(said.status, said.headers).end("x".repeat(100));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
  }

  function channel(
    url: string,
    more: Partial<Parameters<typeof webhookChannel>[0]> & { readonly secretFile?: string; readonly allowHttp?: boolean } = {},
  ) {
    const waited: number[] = [];
    const { secretFile = null, allowHttp = false, ...options } = more;
    const made = webhookChannel({
      settings: () => ({ url, secretFile, allowHttp }),
      version: "1.2.3",
      now: () => 1_767_323_045_000,
      wait: async (ms) => void waited.push(ms),
      ...options,
    });
    return { waited, target: made.target, send: () => made.send(NOTICE, { signal: never }) };
  }

  test("the webhook gets the notice as JSON, signed as Standard Webhooks specifies", async () => {
    const { got, url } = await hook(() => ({ status: 204 }));
    const secretFile = join(await folder(), "secret");
    const secret = Buffer.from("a very secret key");
    writeFileSync(secretFile, `whsec_${secret.toString("base64")}\n`, { mode: 0o600 });
    await channel(url, { secretFile }).send();
    const [{ headers, body, path }] = got as [(typeof got)[number]];
    expect([path, JSON.parse(body)]).toEqual(["/hook", NOTICE]);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "tmpm/1.2.3",
      "webhook-id": "n1",
      "webhook-timestamp": "1767323045",
    });
    const expected = createHmac("sha256", secret).update(`n1.1767323045.${body}`).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
  });

  test("a failing webhook is retried after the delay it requests, at most four times", async () => {
    const soon = await hook((count) => ({ status: count < 3 ? 503 : 200, ...(count === 1 ? { headers: { "retry-after": "7" } } : {}) }));
    const recovered = channel(soon.url);
    await recovered.send();
    expect([soon.got.length, recovered.waited]).toEqual([3, [7_000, 10_000]]);
    const dead = channel("http://127.0.0.1:9/");
    await expect(dead.send()).rejects.toThrow(/\(4 attempts\)/);
    expect(dead.waited).toEqual([2_000, 10_000, 60_000]);
    const silent = await hook(() => null);
    await expect(channel(silent.url, { timeoutMs: 300 }).send()).rejects.toThrow("no answer within 0.3 s (4 attempts)");
  });

  test("a webhook that refuses or redirects is not retried, and no other target is notified", async () => {
    const elsewhere = await hook(() => ({ status: 200 }));
    const { got, url } = await hook((count) => (count === 1 ? { status: 302, headers: { location: elsewhere.url } } : { status: 410 }));
    await expect(channel(url).send()).rejects.toThrow("a redirect, which is not followed");
    await expect(channel(url).send()).rejects.toThrow("it responded with 410");
    expect([got.length, elsewhere.got.length]).toEqual([2, 0]);
  });

  test("plain HTTP to another machine needs permission, and a secret that others can read is refused", async () => {
    await expect(channel("http://192.0.2.1/").send()).rejects.toThrow("plain http to another machine");
    const open = join(await folder(), "secret");
    writeFileSync(open, "x", { mode: 0o644 });
    await expect(channel("http://127.0.0.1:9/", { secretFile: open }).send()).rejects.toThrow("is open to other users");
    expect(channel("https://hooks.example/T/secret").target()).toBe("https://hooks.example");
  });
});

test("a hanging channel delays no other, excess notices are dropped, and all are counted", async () => {
  const counted: string[] = [];
  const sent: string[] = [];
  const box = outbox({
    channels: [
      {
        name: "webhook",
        target: () => "w",
        send: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
      },
      { name: "command", target: () => "c", send: async ({ id }) => void sent.push(id) },
      { name: "desktop", target: () => null, send: async () => expect.unreachable() },
    ],
    now: () => new Date(START),
    count: (channel, outcome) => counted.push(`${channel} ${outcome}`),
    report: () => undefined,
  });
  for (let n = 0; n < 25; n++) box.put({ ...NOTICE, id: String(n) });
  await expect.poll(() => sent.length).toBe(20);
  expect(counted.filter((each) => each === "webhook dropped")).toHaveLength(5);
  await box.close();
  expect(box.states()).toMatchObject([
    { channel: "webhook", sent: 0, failed: 1, dropped: 5, failure: { message: "stopped" } },
    { channel: "command", target: "c", sent: 20, failed: 0, dropped: 5 },
    { channel: "desktop", target: null, sent: 0 },
  ]);
});

test("doctor reports the outcome of the last notice for each configured channel", () => {
  const state = { target: "t", sent: 2, failed: 1, dropped: 0, failure: null };
  const failure = { at: "2026-01-02T03:04:05Z", message: "the webhook was not notified: it responded with 410", hint: null };
  expect(
    noticesArrive([
      { ...state, channel: "command" },
      { ...state, channel: "desktop", target: null },
      { ...state, channel: "webhook", failure },
    ]),
  ).toMatchObject([
    { name: "notify command", status: "ok", message: "t: 2 sent, 1 not delivered" },
    { name: "notify webhook", status: "warn", message: failure.message, hint: "Try it with `tmpm notify test`." },
  ]);
});
