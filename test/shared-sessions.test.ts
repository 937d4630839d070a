import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SessionAnswer } from "@tmpm/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TrustyCommand, type Worker, type Workers, workers } from "../packages/store/test/worker.js";
import { eventually, type Fixture, fixture } from "./fixture.js";

const run = promisify(execFile);
const BIN = join(import.meta.dirname, "scripted-claude");
const PATH = `${BIN}:${process.env.PATH}`;
const ID = "550e8400-e29b-41d4-a716-446655440000";

let all: Workers;
beforeAll(async () => {
  all = await workers();
});
afterAll(() => all.dispose());

interface TheirRecord {
  readonly state: string;
  readonly task: string;
  readonly tmux_name: string;
}

/** trusty-mpm as a daemon next to tmpm: its sessions file, its tmux server, and a program that writes as it does. */
async function trustyBeside() {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-trusty-"));
  const [path, socket] = [join(folder, "sessions.json"), join(folder, "s")];
  const tmux = async (...argv: readonly string[]) => (await run("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...argv])).stdout;
  const worker: Worker = all.startTrusty(path);
  async function ask<T>(command: TrustyCommand): Promise<T> {
    worker.send(JSON.stringify(command));
    return (await worker.next()) as T;
  }
  const upsert = (fields: Record<string, unknown>) => ask<string>({ do: "upsert", id: ID, fields });
  /** As by its `create` and `resume`: a shell in a tmux session of the user's server, into which the agent's command is typed. */
  async function begin(state: Record<string, unknown>): Promise<void> {
    await tmux("new-session", "-d", "-s", "tmpm-web", "-c", folder, `PATH='${PATH}' exec sh`);
    await tmux("send-keys", "-t", "=tmpm-web:", "-l", "--", "env -u ANTHROPIC_API_KEY claude");
    await tmux("send-keys", "-t", "=tmpm-web:", "Enter");
    expect(await upsert(state)).toBe("saved");
  }
  await tmux("new-session", "-d", "-s", "other", "-c", folder, "exec cat");
  return {
    env: { TMPM_STORE_LAYOUT: "single-file", TMPM_STORE_PATH: path, TMPM_FOREIGN_SOCKETS: socket, PATH },
    path,
    folder,
    tmux,
    upsert,
    begin,
    read: () => ask<Record<string, TheirRecord>>({ do: "read" }),
    saveFromMemory: (id: string, fields: Record<string, unknown>) => ask<string>({ do: "save-from-memory", id, fields }),
    record: (fields: Record<string, unknown>) => ({
      ...{ id: ID, tmux_name: "tmpm-web", cwd: folder, task: "find the leak", state: "active", created_at: "2026-01-02T03:04:05Z" },
      ...fields,
    }),
    async [Symbol.asyncDispose]() {
      worker.kill("SIGKILL");
      await tmux("kill-server").catch(() => undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

function until(w: Fixture, { session, holds }: { readonly session: string; readonly holds: (session: SessionAnswer) => boolean }) {
  return eventually(async () => {
    const found = (await w.api.list({ all: true })).sessions.find(({ id, name }) => name === session || id === session);
    return found !== undefined && holds(found) ? found : null;
  });
}

function event(w: Fixture, wanted: Record<string, string>): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const { events } = await w.api.events({});
    const all = events.map((each): Record<string, unknown> => ({ ...each }));
    return all.find((each) => Object.entries(wanted).every(([key, value]) => each[key] === value)) ?? null;
  });
}

test("sessions started, stopped and restarted by trusty-mpm appear here with their terminals, and tmpm's sessions in its file", {
  timeout: 300_000,
}, async () => {
  await using trusty = await trustyBeside();
  await using w = await fixture(trusty.env);
  const ours = await w.json<SessionAnswer>(["new", "--agent", "claude", "--name", "ours"]);
  expect((await trusty.read())[ours.id]).toMatchObject({ state: "active", tmux_name: "tmpm-ours" });
  const refused = await w.tmpm(["new", "--name", "plain"]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("trusty-mpm runs claude and tcode only, not shell") });

  await trusty.begin(trusty.record({}));
  await event(w, { type: "session_created", session_id: ID, reason: "another_program" });
  const bound = await until(w, { session: ID, holds: ({ adopted }) => adopted !== null });
  expect(bound).toMatchObject({ name: "web", agent: "claude", state: "active", task: "find the leak", launched_at: null });
  await until(w, { session: ID, holds: ({ activity }) => activity.state === "idle" });
  expect((await w.json<{ receipt: { outcome: string } }>(["send", "web", "hello from here"])).receipt.outcome).toBe("submitted");
  await eventually(async () => (await trusty.tmux("capture-pane", "-p", "-t", "=tmpm-web:")).includes("● done") || null);

  await trusty.tmux("kill-session", "-t", "=tmpm-web");
  await trusty.upsert({ state: "stopped" });
  await event(w, { type: "session_state_changed", session_id: ID, to: "stopped" });
  await until(w, { session: ID, holds: ({ state }) => state === "stopped" });
  await trusty.begin({ state: "active", last_activity_at: "2026-01-02T04:00:00Z" });
  await until(w, { session: ID, holds: ({ state, activity }) => state === "active" && activity.state === "idle" });
  expect((await trusty.read())[ID]).toMatchObject({ state: "active" });
  await w.json(["stop", "web"]);
  expect((await trusty.read())[ID]).toMatchObject({ state: "stopped" });
  expect(await trusty.tmux("list-sessions", "-F", "#{session_name}")).toBe("other\n");
});

test("a change by tmpm that trusty-mpm overwrote is kept, and reported by health, doctor, list and event", {
  timeout: 300_000,
}, async () => {
  await using trusty = await trustyBeside();
  await trusty.upsert(trusty.record({ state: "stopped" }));
  await using w = await fixture(trusty.env);
  expect((await w.json<SessionAnswer>(["show", "web"])).id).toBe(ID);
  await w.json(["set", "web", "--task", "ours"]);
  await trusty.saveFromMemory(ID, { last_activity_at: "2026-01-02T04:00:00Z" });
  const overwritten = await event(w, { type: "session_overwritten", session_id: ID });
  const health = await w.api.health();
  expect(health.store).toEqual({ state: "ok", message: null, conflicts: [{ id: ID, path: overwritten.path }] });
  expect(JSON.parse(await readFile(String(overwritten.path), "utf8"))).toMatchObject({
    ours: { task: "ours" },
    theirs: { task: "find the leak" },
  });
  expect((await w.json<SessionAnswer>(["show", "web"])).task).toBe("find the leak");
  expect((await w.tmpm(["ls"])).stdout).toContain(String(overwritten.path));
  expect((await w.tmpm(["doctor"])).stdout).toContain("another program overwrote");
  expect((await w.tmpm(["daemon", "status"])).stdout).toContain("overwrote");
  await rm(String(overwritten.path));
  expect((await w.api.health()).store).toEqual({ state: "ok", message: null });
});
