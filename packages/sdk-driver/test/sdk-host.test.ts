import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundledProgram } from "@tmpm/holder/testing";
import { processTable } from "@tmpm/processes";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ReportedEdge } from "../src/host/holders.js";
import type { SdkCreateSpec } from "../src/host/sdk-host.js";
import { type SdkHost, sdkHost } from "../src/index.js";
import { SCRIPTED_AGENT, script } from "./agent-fixture.js";

let dir = "";
let entry = "";
const hosts: SdkHost[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "tmpm-sdk-"));
  entry = await bundledProgram(join(import.meta.dirname, "..", "src", "holder", "sdk-holder.ts"));
}, 60_000);

afterAll(async () => {
  const host = open();
  const left = await host.list();
  if (left.kind === "present") await Promise.all(left.value.map(({ identity }) => host.kill(identity, { graceMs: 100 })));
  for (const each of hosts) await each.close();
  await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

/** Another daemon from the holders' point of view. */
function open({ patienceMs = 30_000 } = {}): SdkHost {
  const host = sdkHost({ base: join(dir, "h"), entry, env: process.env, home: "fixture", version: "1", patienceMs });
  hosts.push(host);
  return host;
}

interface Created extends Partial<Pick<SdkCreateSpec, "sessionId" | "argv">> {
  readonly habits?: Readonly<Record<string, unknown>>;
}

async function create(host: SdkHost, { habits = {}, ...spec }: Created = {}) {
  return host.create({
    sessionId: randomUUID(),
    tmuxName: "tmpm-demo",
    cwd: dir,
    argv: [process.execPath, SCRIPTED_AGENT],
    env: { PATH: process.env.PATH ?? "", TMPM_SCRIPTED: JSON.stringify(habits) },
    columns: 100,
    rows: 20,
    beginning: { conversationId: null, overrides: { model: "large" }, permissions: "wild" },
    ...spec,
  });
}

async function runs(pid: number | null): Promise<boolean> {
  const found = pid === null ? undefined : (await processTable().some([pid])).get(pid);
  return found !== undefined && !found.zombie;
}

type Identity = Awaited<ReturnType<typeof create>>["identity"];

async function until(host: SdkHost, { identity, state }: { identity: Identity; state: string }) {
  return expect
    .poll(async () => (await host.capture(identity)).reading.state, { interval: 30 })
    .toBe(state)
    .then(() => host.capture(identity));
}

describe("an agent in its holder", () => {
  test("is not withdrawn by a look for the session's terminals while it starts", async () => {
    const host = open();
    const sessionId = randomUUID();
    const creating = create(host, { sessionId });
    await vi.waitUntil(() => existsSync(join(dir, "h", sessionId)), { timeout: 100_000, interval: 1 });
    const running = { code: "UNRESPONSIVE", message: expect.stringContaining("has a holder already") };
    await expect(host.requireNone(sessionId)).rejects.toMatchObject(running);
    expect((await creating).sessionId).toBe(sessionId);
  });

  test("accepts a prompt, asks, is answered, and ends with nothing left", async () => {
    const host = open();
    const edges: ReportedEdge[] = [];
    host.conversation.updates((edge) => edges.push(edge));
    const { identity, pid } = await create(host);
    expect((await until(host, { identity, state: "idle" })).lines).toEqual(['! it has no mode "wild"; it has build, plan']);
    expect(await host.conversation.prompt(identity, { key: "k1", text: script({ ask: ["make test"], say: "All good." }) })).toMatchObject({
      kind: "taken",
    });
    const asking = await until(host, { identity, state: "awaiting_approval" });
    expect(asking.lines).toEqual(expect.arrayContaining(["? execute: make test", "  1. Allow once"]));
    const request = asking.reading.decision?.request ?? "";
    expect(await host.conversation.answer(identity, { request, answer: { kind: "approve" } })).toEqual({ label: "Allow once" });
    const done = await until(host, { identity, state: "idle" });
    expect(done.lines.at(-1)).toBe("All good.");
    expect(await host.conversation.transcript(identity)).toMatchObject({ reply: "All good.", prompts: 1, model: "large" });
    const states = edges.map(({ reading }) => reading.state).filter((state) => state !== null);
    // An agent may be idle before a listener is added.
    expect(states.slice(states.indexOf("working"))).toEqual(["working", "awaiting_approval", "working", "idle"]);
    const report = await host.kill(identity, { graceMs: 30_000 });
    expect(report).toMatchObject({ survivors: [], exit: { status: 0, signal: null } });
    expect(report.lastLines.at(-1)).toBe("All good.");
    expect(await runs(pid)).toBe(false);
    expect(await host.find(identity)).toMatchObject({ kind: "absent" });
    expect(await host.kill(identity, { graceMs: 100 })).toMatchObject({ survivors: [] });
  });

  test("continues without a daemon, and its requests wait for the next one", async () => {
    const first = open();
    const { identity } = await create(first);
    await until(first, { identity, state: "idle" });
    await first.conversation.prompt(identity, { key: "k1", text: script({ lines: 3, ask: ["one", "two"], say: "done" }) });
    await first.close();

    const second = open();
    const heard: ReportedEdge[] = [];
    second.conversation.updates((edge) => heard.push(edge));
    expect(await second.find(identity)).toMatchObject({ kind: "present", value: { sessionId: expect.any(String), exit: null } });
    const asking = await until(second, { identity, state: "awaiting_approval" });
    expect(heard[0]?.reading).toMatchObject({ conversationId: expect.any(String), binds: true, state: null });
    expect(await second.conversation.prompted(identity, "k1")).toMatchObject({ kind: "taken" });
    expect(await second.conversation.prompted(identity, "never")).toBeNull();
    await second.conversation.answer(identity, { request: asking.reading.decision?.request ?? "", answer: { kind: "deny" } });
    await expect.poll(async () => (await second.capture(identity)).reading.decision?.subject).toBe("two");
    await second.conversation.cancel(identity);
    expect((await until(second, { identity, state: "idle" })).lines.at(-1)).toBe("! the turn ended: cancelled");
    await second.kill(identity, { graceMs: 30_000 });
  });

  test("that ends unrequested keeps its exit and its last words until they are collected", async () => {
    const host = open();
    const { identity } = await create(host);
    await until(host, { identity, state: "idle" });
    await host.conversation.prompt(identity, { key: "k1", text: script({ crash: true }) });
    const screen = await until(host, { identity, state: "exited" });
    expect(screen.pane.exit).toMatchObject({ status: 7, signal: null });
    expect(await open().list()).toMatchObject({
      kind: "present",
      value: expect.arrayContaining([expect.objectContaining({ identity, exit: expect.objectContaining({ status: 7 }) })]),
    });
    expect((await host.kill(identity, { graceMs: 100 })).lastLines.at(-1)).toBe("! the agent printed: a fault of mine");
  });

  test("with a killed holder is gone, with proof", async () => {
    const host = open();
    const { identity, pid } = await create(host);
    await until(host, { identity, state: "idle" });
    process.kill(identity.server_pid, "SIGKILL");
    await expect.poll(() => host.find(identity).then(({ kind }) => kind)).toBe("absent");
    await expect(host.capture(identity)).rejects.toMatchObject({ code: "PANE_GONE" });
    expect((await host.kill(identity, { graceMs: 100 })).survivors).toEqual([]);
    expect(await runs(pid)).toBe(false);
  });
});

describe("an agent that a killed holder left behind", () => {
  async function killed(host: SdkHost) {
    const pane = await create(host, { habits: { stays: true } });
    await until(host, { identity: pane.identity, state: "idle" });
    process.kill(pane.identity.server_pid, "SIGKILL");
    await expect.poll(() => runs(pane.identity.server_pid)).toBe(false);
    expect(await runs(pane.pid)).toBe(true);
    return pane;
  }

  test("is ended and removed by the next observation", async () => {
    const host = open();
    const { identity, pid } = await killed(host);
    await expect.poll(() => host.list().then(() => existsSync(dirname(identity.socket)))).toBe(false);
    expect(await runs(pid)).toBe(false);
  });

  test("is ended before the session's agent is started again", async () => {
    const host = open();
    const { pid, sessionId } = await killed(host);
    const again = await create(host, { sessionId: sessionId ?? "" });
    expect([await runs(pid), await runs(again.pid)]).toEqual([false, true]);
    await host.kill(again.identity, { graceMs: 1_000 });
  });
});

test("stopping a session whose holder does not answer ends its holder too", async () => {
  const { identity, pid } = await create(open());
  process.kill(identity.server_pid, "SIGSTOP");
  expect(await open({ patienceMs: 300 }).kill(identity, { graceMs: 100 })).toMatchObject({ survivors: [], exit: null });
  expect([await runs(pid), await runs(identity.server_pid), existsSync(dirname(identity.socket))]).toEqual([false, false, false]);
});

test("an agent that closes its input is blocked while it runs, and its exit and output are reported", async () => {
  const go = join(dir, `go-${randomUUID()}`);
  const agent = [
    "read -r line",
    "exec 0<&-",
    `id=$(printf %s "$line" | sed 's/.*"id":\\([^,}]*\\).*/\\1/')`,
    `printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}\\n' "$id"`,
    'while [ ! -e "$1" ]; do sleep 0.02; done',
    "echo gone wrong >&2",
    "exit 4",
  ].join("\n");
  const host = open();
  const { identity } = await create(host, { argv: ["/bin/sh", "-c", agent, "sh", go] });
  expect((await until(host, { identity, state: "blocked" })).reading.evidence).toEqual([
    "the agent closed its connection, and its process still runs",
  ]);
  writeFileSync(go, "");
  const { pane } = await until(host, { identity, state: "exited" });
  expect(pane.exit).toMatchObject({ status: 4, signal: null });
  expect((await host.kill(identity, { graceMs: 100 })).lastLines.at(-1)).toBe("! the agent printed: gone wrong");
});

test("the README shows its example as it runs", async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
  expect(await read("../README.md")).toContain(`\`\`\`ts\n${await read("readme-tour.ts")}\`\`\``);
  const printed: unknown[] = [];
  vi.spyOn(console, "log").mockImplementation((words) => void printed.push(words));
  const argv = process.argv;
  process.argv = [...argv.slice(0, 2), join(dir, "tour"), entry, process.execPath, SCRIPTED_AGENT];
  try {
    await import("./readme-tour.js");
    expect(printed).toEqual([{ kind: "taken", evidence: expect.any(Array) }, { label: "Allow once" }, "All green.", []]);
  } finally {
    process.argv = argv;
    vi.restoreAllMocks();
  }
});

test("a missing program gives no session", async () => {
  const host = open();
  const spec = {
    sessionId: randomUUID(),
    tmuxName: "tmpm-none",
    cwd: dir,
    argv: ["/no/such/agent"] as const,
    env: {},
    columns: 80,
    rows: 24,
  };
  await expect(host.create({ ...spec, beginning: { conversationId: null, overrides: {} } })).rejects.toMatchObject({
    code: "LAUNCH_FAILED",
    effect: "none",
  });
});
