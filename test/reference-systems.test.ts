import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportAnswer, SessionAnswer } from "@tmpm/api";
import { afterEach, describe, expect, test } from "vitest";
import { readForeign } from "../packages/store/src/foreign/index.js";
import { HAS_SQLITE } from "../packages/store/test/zeroclaw-database.js";
import { eventually, type Fixture, sharedFixture } from "./fixture.js";
import {
  AO_ID,
  REGISTRY_ID,
  type References,
  TRUSTY_ID,
  trustySession,
  writeAo,
  writeRegistry,
  writeSwimmers,
  writeTrusty,
  writeZeroclaw,
  ZEROCLAW_ID,
  ZEROCLAW_PROMPT,
} from "./reference-documents.js";

/** The agent of all of them has the screens and the behaviour of Claude Code. */
const user = sharedFixture({ PATH: `${join(import.meta.dirname, "scripted-claude")}:${process.env.PATH}` });

function references(): References {
  const { dir } = user();
  const cwd = join(dir, "w");
  mkdirSync(cwd, { recursive: true });
  return { folder: mkdtempSync(join(dir, "from-")), cwd };
}

async function imported(w: Fixture, from: ImportAnswer["from"], path: string): Promise<ImportAnswer["documents"]> {
  return (await w.json<ImportAnswer>(["import", "--from", from, path])).documents;
}

async function exported(w: Fixture, { to, file = "" }: { readonly to: string; readonly file?: string }): Promise<string> {
  const path = join(mkdtempSync(join(w.dir, "to-")), "out");
  await w.json(["import", "--export", to, path]);
  return join(path, file);
}

/** An owner's typical operations on a session. */
async function work({ api }: Fixture, session: string): Promise<SessionAnswer> {
  await api.resume({ session });
  await api.wait({ session, until: "idle", timeout_ms: 60_000 }, { timeoutMs: 90_000 });
  expect((await api.send({ session, text: "hello from here" })).receipt.outcome).toBe("submitted");
  await eventually(async () => ((await api.turns({ session })).turns.every(({ state }) => state === "ended") ? true : null));
  await api.set({ session, task: "fix the build" });
  await api.stop({ session });
  await api.archive({ session });
  expect((await api.list({})).sessions.map(({ id }) => id)).not.toContain(session);
  await api.reactivate({ session });
  return api.show({ session });
}

/** An export contains every session, so all are removed before the next test. */
async function purgeAll({ api }: Fixture): Promise<void> {
  const lists = await Promise.all([api.list({ all: true }), api.list({ all: true, archived: true })]);
  for (const id of new Set(lists.flatMap(({ sessions }) => sessions.map((session) => session.id))))
    await api.delete({ session: id, purge: true });
  expect((await api.list({ all: true })).sessions).toEqual([]);
}

describe("importing from another program, working with the session, and exporting back", { timeout: 300_000 }, () => {
  afterEach(() => purgeAll(user()));

  test("a managed session of trusty-mpm, unchanged until it worked here", async () => {
    const [w, from] = [user(), references()];
    const document = trustySession(from);
    expect(await imported(w, "trusty-mpm", writeTrusty(from))).toMatchObject([{ id: TRUSTY_ID, outcome: "mapped" }]);
    const written = JSON.parse(readFileSync(await exported(w, { to: "trusty-mpm" }), "utf8")).sessions[TRUSTY_ID];
    const { tmpm: _ours, ...back } = written;
    expect(JSON.stringify(back)).toBe(JSON.stringify(document));
    expect(await work(w, TRUSTY_ID)).toMatchObject({ state: "stopped", task: "fix the build", stop_cause: "deliberate" });
    const worked = JSON.parse(readFileSync(await exported(w, { to: "trusty-mpm" }), "utf8")).sessions[TRUSTY_ID];
    const { injection_status, kind, future_field, scrollback_path, created_at, correlation } = document;
    expect(worked).toMatchObject({
      ...{ injection_status, kind, future_field, scrollback_path, created_at, correlation },
      ...{ id: TRUSTY_ID, state: "stopped", task: "fix the build", runtime: "claude-code" },
    });
  });

  test("a session of trusty-mpm's core registry, which is not exported", async () => {
    const [w, from] = [user(), references()];
    expect(await imported(w, "trusty-mpm", writeRegistry(from))).toMatchObject([{ id: REGISTRY_ID, outcome: "mapped" }]);
    expect(await work(w, REGISTRY_ID)).toMatchObject({
      ...{ name: "quiet-falcon", agent: "claude", cwd: from.cwd, created_at: "2023-11-14T22:13:20.000000001Z" },
      trusty_registry: { status: "Paused", origin: "native", pid: 4242, active_delegations: 4_294_967_295 },
    });
  });

  test("a session of swimmers, unchanged until it worked here", async () => {
    const [w, from] = [user(), references()];
    const { path, text } = writeSwimmers(from);
    const [document] = await imported(w, "swimmers", path);
    const file = "session_registry.json";
    expect(readFileSync(await exported(w, { to: "swimmers", file }), "utf8")).toBe(text);
    const id = document?.session?.id ?? "";
    expect((await w.json<SessionAnswer>(["show", id])).thought).toMatchObject({ thought: "reading logs", token_count: 44 });
    await work(w, id);
    const [back] = JSON.parse(readFileSync(await exported(w, { to: "swimmers", file }), "utf8"));
    expect(back).toMatchObject({ session_id: id, tmux_name: "tmpm-fix-42", state: "exited", tool: "Claude Code", token_count: 44 });
  });

  test("sessions of ao-rs, value by value, with the archived one in the archive", async () => {
    const [w, from] = [user(), references()];
    const path = writeAo(from);
    expect(await imported(w, "ao-rs", path)).toMatchObject([{ outcome: "mapped" }, { outcome: "mapped" }]);
    const before = await aoDocuments(path);
    expect((await aoDocuments(await exported(w, { to: "ao-rs" }))).map(withoutOurs)).toEqual(before);
    expect(await work(w, AO_ID)).toMatchObject({ agent: "claude", agent_config: { permissions: "bypassPermissions" } });
    const [worker, merged] = await aoDocuments(await exported(w, { to: "ao-rs" }));
    expect(withoutOurs(merged)).toEqual(before[1]);
    expect(worker).toMatchObject({
      ...{ archived: false, id: AO_ID },
      document: {
        ...{ status: "killed", task: "fix the build", issue_id: "42", odd: 1, spawned_by: "my-orchestrator-1" },
        ...{ agent_config: { permissions: "permissionless", orchestratorModel: "opus" } },
        ...{ last_review_backlog_fingerprint: 18446744073709551615n, created_at: 1700000000123 },
      },
    });
  });

  test.skipIf(!HAS_SQLITE)("a session of zeroclaw with its conversation, which is not exported", async () => {
    const [w, from] = [user(), references()];
    const path = writeZeroclaw(from);
    expect(await imported(w, "zeroclaw", path)).toMatchObject([
      { id: ZEROCLAW_ID, outcome: "mapped", session: { state: "stopped" } },
      { outcome: "mapped", session: { state: "decommissioned" } },
    ]);
    expect(await imported(w, "zeroclaw", path)).toMatchObject([{ outcome: "already_there" }, { outcome: "already_there" }]);
    await work(w, ZEROCLAW_ID);
    const { turns } = await w.json<{ turns: readonly Record<string, unknown>[] }>(["turns", ZEROCLAW_ID]);
    expect(turns).toMatchObject([
      {
        ...{ generation: 1, prompt: ZEROCLAW_PROMPT, final_message: "It's", outcome: "completed", reason: "imported" },
        accepted_at: "2026-01-02T03:04:05.123456789Z",
      },
      { generation: 2, prompt: "hello from here", outcome: "completed" },
    ]);
    const refused = await w.tmpm(["import", "--export", "zeroclaw", join(w.dir, "no")]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("trusty-mpm, ao-rs, swimmers") });
  });
});

type AoDocuments = Extract<Awaited<ReturnType<typeof readForeign>>, { from: "ao-rs" }>["sessions"];

async function aoDocuments(path: string) {
  const files = await readForeign({ from: "ao-rs", path });
  const sessions: AoDocuments = files.from === "ao-rs" ? files.sessions : [];
  return sessions.map((file) => ({ archived: file.archived, id: file.id, document: file.readable ? file.document : file.reason }));
}

function withoutOurs(file: Awaited<ReturnType<typeof aoDocuments>>[number] | undefined) {
  const { tmpm: _ours, ...document } = Object(file?.document);
  return { ...file, document };
}
