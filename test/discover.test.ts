import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DiscoverAnswer, ReconcileAnswer, SessionAnswer } from "@tmpm/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, type Fixture, fixture } from "./fixture.js";

const run = promisify(execFile);

/** A foreign tmux server. */
async function foreignServer() {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-"));
  const socket = join(folder, "s");
  const tmux = async (...argv: readonly string[]) => (await run("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...argv])).stdout;
  await tmux("new-session", "-d", "-s", "theirs", "-c", folder, "exec cat");
  return {
    socket,
    folder,
    tmux,
    async [Symbol.asyncDispose]() {
      await tmux("kill-server");
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

let other: Awaited<ReturnType<typeof foreignServer>>;
let w: Fixture;
beforeAll(async () => {
  other = await foreignServer();
  w = await fixture({ TMPM_FOREIGN_SOCKETS: other.socket });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
}, 120_000);

test("discovers, adopts, prompts and releases a session of a foreign tmux, and leaves its server unchanged", {
  timeout: 180_000,
}, async () => {
  const settings = () => Promise.all([other.tmux("show-options", "-g"), other.tmux("show-options", "-s"), other.tmux("show-hooks", "-g")]);
  const before = await settings();
  const { discovered } = await w.json<DiscoverAnswer>(["discover"]);
  expect(discovered.filter(({ origin }) => origin === "tmux")).toMatchObject([
    { name: "theirs", socket: other.socket, cwd: other.folder, adoptable: true },
  ]);
  const adopted = await w.json<SessionAnswer>(["adopt", "theirs", "--name", "mine"]);
  expect(adopted).toMatchObject({ name: "mine", state: "active", cwd: other.folder, agent: "command" });
  await w.api.send({ session: "mine", text: "hello" });
  // By the daemon: while its client connects to a server, no other client should query that server.
  await eventually(async () => ((await w.api.capture({ session: "mine" })).lines.includes("hello") ? true : null));
  expect((await w.tmpm(["adopt", "theirs"])).code).toBe(4);
  await w.json(["rm", "mine"]);
  await eventually(async () =>
    (await other.tmux("list-sessions", "-F", "#{session_name} #{session_attached}")) === "theirs 0\n" ? true : null,
  );
  expect(await other.tmux("show-options", "-p", "-t", "theirs")).toBe("");
  expect(await settings()).toEqual(before);
});

test("recovers a session killed from outside, and `reconcile` reports and does the same", { timeout: 180_000 }, async () => {
  const { id } = await w.json<SessionAnswer>(["new", "--name", "demo"]);
  await w.tmux("kill-session", "-t", "=tmpm-demo");
  const back = await eventually(async () => {
    const session = await w.api.show({ session: "demo" });
    return session.state === "active" && session.auto_resume !== null ? session : null;
  });
  expect(back).toMatchObject({ id, name: "demo" });
  const report = await w.json<ReconcileAnswer>(["reconcile", "--dry-run"]);
  expect(report).toMatchObject({ dry_run: true, live: 1, findings: [], unobservable: [] });
  expect((await w.api.list({ discovered: true })).unobservable).toEqual([]);
});
