import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SessionRecord } from "@tmpm/core";
import { directoryStore } from "@tmpm/store";
import { type ForeignExport, type ForeignProgram, readForeign, writeForeign } from "@tmpm/store/foreign";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";

const A = "550e8400-e29b-41d4-a716-446655440000";
const B = "367c6c51-1025-419c-b6d6-be9a753e8914";
const C = "00000000-0000-4000-8000-00000000000c";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tmpm-import-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, content: unknown): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

type Fixture = ReturnType<typeof fixture>;

async function importFrom(l: Fixture, from: ForeignProgram, { dry_run = false, path = folder } = {}) {
  return l.sessions.import({ files: await readForeign({ from, path }), dry_run });
}

/** The whole content of the store, as text. */
async function stored(l: Fixture): Promise<string> {
  return JSON.stringify(await l.store.list({ archived: true }));
}

function trusty(id: string, changes: Readonly<Record<string, unknown>> = {}) {
  return { id, tmux_name: "tmpm-api", cwd: "/home/ada/api", task: "t", state: "active", created_at: "2023-11-14T22:13:20Z", ...changes };
}

const AO = ["project_id: p", "status: working", "branch: main", "task: t", "created_at: 1700000000000", "workspace_path: /w/p"];

function aoSession(id: string, lines: readonly string[] = []): string {
  const own = lines.map((line) => line.split(":")[0]);
  return [`id: ${id}`, ...AO.filter((line) => !own.includes(line.split(":")[0])), ...lines].join("\n");
}

function swimmer(session_id: string, changes: Readonly<Record<string, unknown>> = {}) {
  const times = { last_activity_at: "2026-01-02T03:04:05Z" };
  return {
    session_id,
    tmux_name: session_id,
    state: "idle",
    tool: "Codex",
    token_count: 5,
    context_limit: 9,
    cwd: "/w",
    ...times,
    ...changes,
  };
}

function writeEach(from: ForeignProgram): void {
  if (from === "trusty-mpm") {
    write("sessions.json", { sessions: { [A]: trusty(A), [B]: trusty(B), [C]: trusty(C, { state: "asleep" }) } });
  } else if (from === "ao-rs") {
    write(`sessions/p/${A}.yaml`, aoSession(A));
    write("sessions/p/p-orchestrator-1.yaml", aoSession("p-orchestrator-1"));
    write(`sessions/p/${C}.yaml`, aoSession(C, ["status: asleep"]));
  } else {
    write("session_registry.json", [swimmer("sess_0"), swimmer("sess_1", { tmux_name: "sess_0" }), swimmer("sess_2", { state: "asleep" })]);
  }
}

describe.each(["trusty-mpm", "ao-rs", "swimmers"] as const)("an import from %s", (from) => {
  test("maps what it can, gives the reason for each skipped item, and changes nothing the second time", async () => {
    writeEach(from);
    const l = fixture();
    const first = await importFrom(l, from);
    expect(first.documents.map(({ outcome }) => outcome).sort()).toEqual(["mapped", "mapped", "skipped"]);
    expect(first.documents.find(({ outcome }) => outcome === "skipped")).toMatchObject({
      session: null,
      reason: expect.stringMatching(/stat(e|us)/),
      source: expect.stringContaining(folder),
    });
    const before = await stored(l);
    const events = l.events.length;
    const created = () => l.events.filter(({ type }) => type === "session_created").length;
    const second = await importFrom(l, from);
    expect(second.documents.map(({ outcome }) => outcome).sort()).toEqual(["already_there", "already_there", "skipped"]);
    expect(second.documents.map(({ session }) => session?.id)).toEqual(first.documents.map(({ session }) => session?.id));
    expect(await stored(l)).toBe(before);
    expect([created(), l.events.length]).toEqual([2, events]);
  });

  test("treats all sessions as stopped, and each can be resumed under a free name", async () => {
    writeEach(from);
    const l = fixture();
    await l.sessions.create({ agent: "shell", cwd: "/w", name: "api" });
    await importFrom(l, from);
    const { sessions } = await l.sessions.list({});
    expect(new Set(sessions.map(({ record }) => record.name)).size).toBe(3);
    const imported = sessions.filter(({ record }) => record.imported !== undefined);
    expect(imported).toHaveLength(2);
    for (const { record } of imported) {
      expect(record).toMatchObject({ state: "stopped", stop_cause: "unexpected", pane: null, pid: null, workspace_owned: false });
      expect(record.tmux_name).toBe(`tmpm-${record.name}`);
    }
    expect((await l.sessions.reconcile()).findings).toEqual([]);
  });

  test("as a dry run returns the same and writes nothing", async () => {
    writeEach(from);
    const l = fixture();
    const tried = await importFrom(l, from, { dry_run: true });
    expect([await stored(l), l.events, tried.dry_run]).toEqual(["[]", [], true]);
    expect(tried.documents).toEqual((await importFrom(l, from)).documents);
  });

  test("gives the same ids on another machine", async () => {
    writeEach(from);
    const ids = async () => (await importFrom(fixture(), from)).documents.map(({ session }) => session?.id);
    expect(await ids()).toEqual(await ids());
    const fixed = { "trusty-mpm": A, "ao-rs": "73514245-85b3-54b8-94f8-6918583ff04a", swimmers: "932b0799-486b-535a-812c-819308e12552" };
    expect(await ids()).toContain(fixed[from]);
  });

  test("assigns each name only once within an import", async () => {
    const names = Array.from({ length: 230 }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`);
    if (from === "trusty-mpm") write("sessions.json", { sessions: Object.fromEntries(names.map((id) => [id, trusty(id)])) });
    for (const id of from === "ao-rs" ? names : []) write(`sessions/p/${id}.yaml`, aoSession(id, ["runtime_handle: same"]));
    if (from === "swimmers")
      write(
        "session_registry.json",
        names.map((id) => swimmer(id, { tmux_name: "same" })),
      );
    for (const dry_run of [true, false]) {
      const { documents } = await importFrom(fixture(), from, { dry_run });
      expect(new Set(documents.map(({ session }) => session?.name)).size).toBe(230);
    }
  });
});

describe("an import", () => {
  test("never overwrites a record, including an unreadable one", async () => {
    write("sessions.json", { sessions: { [A]: trusty(A, { task: "theirs" }), [B]: trusty(B) } });
    const l = fixture();
    await l.store.create(SessionRecord.parse({ ...trusty(A), name: "mine", agent: "claude", updated_at: "2026-01-01T00:00:00Z" }));
    const { documents } = await importFrom(l, "trusty-mpm");
    expect(documents[0]).toMatchObject({ outcome: "already_there", session: { id: A, name: "mine" } });
    expect(await l.store.get(A)).toMatchObject({ record: { task: "t", rev: 1 } });
  });

  test("from trusty-mpm keeps the id, the conversation, finished sessions and unknown fields, but no folder ownership", async () => {
    write("sessions.json", {
      sessions: {
        [A]: trusty(A, { claude_session_id: "conv-1", workspace_owned: true, workspace_path: "/w", kind: "Ordinary", tmux_name: "a b" }),
        [B]: trusty(B, { state: "decommissioned" }),
      },
    });
    const l = fixture();
    const { documents } = await importFrom(l, "trusty-mpm");
    expect(documents[0]).toMatchObject({
      session: { id: A, name: "a-b" },
      notes: ["was active; here it is stopped", "agent claude is unknown, so it cannot be resumed"],
    });
    expect(await l.store.get(A)).toMatchObject({
      record: {
        conversation_id: "conv-1",
        workspace_owned: false,
        kind: "Ordinary",
        imported: { from: "trusty-mpm", tmux_name: "a b", workspace_owned: true },
      },
    });
    expect(await l.store.get(B)).toMatchObject({ record: { state: "decommissioned", name: "api", terminal_at: expect.any(String) } });
  });

  test("from ao-rs maps projects and ends, and archived sessions are finished", async () => {
    write(`sessions/my.app/${A}.yaml`, aoSession(A, ["project_id: my.app", "agent: odd", "workspace_path: null"]));
    write(`sessions/p/${B}.yaml`, aoSession(B, ["status: killed"]));
    write(`sessions/p/.archive/${C}.yaml`, aoSession(C, ["status: killed"]));
    write(`sessions/p/.archive/${B}.yaml`, aoSession(B, ["status: killed"]));
    write("sessions/p/misplaced.yaml", aoSession("other"));
    write(`sessions/q/wrong.yaml`, aoSession("wrong"));
    const l = fixture();
    const { documents } = await importFrom(l, "ao-rs");
    const short = documents.map(({ id, outcome, session, reason, notes }) => [
      id,
      outcome,
      session?.state,
      session?.project_id,
      reason ?? notes,
    ]);
    expect(short).toEqual([
      [
        ...[A, "mapped", "stopped", "my-app"],
        [
          "project my.app is my-app here",
          "was active; here it is stopped",
          "its directory is unknown, so it cannot be resumed",
          "agent odd is unknown, so it cannot be resumed",
        ],
      ],
      [B, "mapped", "stopped", "p", expect.anything()],
      ["misplaced", "skipped", undefined, undefined, "id: the file holds the session other"],
      [C, "mapped", "decommissioned", "p", ["was stopped; here it is decommissioned"]],
      [B, "skipped", undefined, undefined, expect.stringContaining("the same session as in")],
      ["wrong", "skipped", undefined, undefined, "project_id: the folder holds a session of p"],
    ]);
    expect(await l.store.get(B)).toMatchObject({ record: { stop_cause: "deliberate", ao: { status: "killed" } } });
  });

  test("from swimmers assigns thoughts to sessions, and lists unassigned ones", async () => {
    write("session_registry.json", [swimmer("sess_0", { cwd: "" })]);
    const thought = { token_count: 0, context_limit: 0, updated_at: "2026-01-02T03:04:05Z", thought: "hm" };
    write("thoughts.json", { sess_0: thought, sess_9: thought, "tmux:0:0.0:%1": thought, sess_8: {} });
    const l = fixture();
    const { documents } = await importFrom(l, "swimmers");
    expect(documents.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
      ["sess_0", "mapped", null],
      ["sess_8", "skipped", expect.stringContaining("damaged thought")],
      ["sess_9", "skipped", "a thought of a session that is not in the registry"],
      ["tmux:0:0.0:%1", "skipped", expect.stringContaining("tmux pane")],
    ]);
    expect(await l.store.get(documents[0]?.session?.id ?? "")).toMatchObject({
      record: { swimmers: { thought: "hm", token_count: 5 }, agent: "codex", cwd: "/unknown" },
    });
    write("thoughts.json", "{");
    expect((await importFrom(fixture(), "swimmers")).documents.map(({ outcome }) => outcome)).toEqual(["mapped", "skipped"]);
  });

  test("of a file with another format is refused", async () => {
    write("sessions.json", []);
    await expect(importFrom(fixture(), "trusty-mpm")).rejects.toMatchObject({ code: "INVALID_ARGUMENT", details: { field: "sessions" } });
    write("session_registry.json", {});
    await expect(importFrom(fixture(), "swimmers")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("into a store on disk keeps integers beyond 2^53, digit for digit", async () => {
    write("from/sessions.json", `{"sessions": {"${A}": ${JSON.stringify(trusty(A)).slice(0, -1)}, "future": {"big": 9007199254740993}}}}`);
    write(
      `ao/sessions/p/${B}.yaml`,
      aoSession(B, ["last_review_backlog_fingerprint: 18446744073709551615", "future: 18446744073709551614"]),
    );
    const store = directoryStore({ base: join(folder, "store") });
    try {
      const l = fixture({ store });
      await importFrom(l, "trusty-mpm", { path: join(folder, "from") });
      await importFrom(l, "ao-rs", { path: join(folder, "ao") });
      expect(readFileSync(join(folder, "store/default", `${A}.json`), "utf8")).toContain('"big": 9007199254740993');
      const text = readFileSync(join(folder, "store/p", `${B}.json`), "utf8");
      expect(text).toContain('"last_review_backlog_fingerprint": "18446744073709551615"');
      expect(text).toContain('"future": 18446744073709551614');
    } finally {
      await store.close();
    }
  });
});

describe("an export", () => {
  async function exportTo(l: Fixture, to: ForeignExport["to"]) {
    const { sessions, files } = await l.sessions.export({ to });
    const path = join(folder, `exported-${to}`);
    await writeForeign(path, files);
    return { sessions, path };
  }

  test("to trusty-mpm restores what came from there, except the running state", async () => {
    const theirs = trusty(A, { tmux_name: "tm-api-01", workspace_owned: true, workspace_path: "/w", state: "active", kind: "Ordinary" });
    write("sessions.json", { sessions: { [A]: theirs } });
    const l = fixture();
    await l.sessions.create({ agent: "shell", cwd: "/w", name: "tm-api-01" });
    await importFrom(l, "trusty-mpm");
    const { sessions, path } = await exportTo(l, "trusty-mpm");
    expect(sessions.map(({ outcome, reason }) => [outcome, reason])).toContainEqual(["skipped", expect.stringContaining("agent: ")]);
    const written = JSON.parse(readFileSync(path, "utf8"));
    expect(Object.keys(written.sessions)).toEqual([A]);
    expect(written.sessions[A]).toMatchObject({ ...theirs, state: "stopped" });
    expect(written.sessions[A]).not.toHaveProperty("imported");
    expect((await importFrom(fixture(), "trusty-mpm", { path })).documents).toMatchObject([{ outcome: "mapped", session: { id: A } }]);
  });

  test("to ao-rs restores what came from there, in its original places", async () => {
    write(
      `sessions/my.app/${A}.yaml`,
      aoSession(A, ["project_id: my.app", "last_review_backlog_fingerprint: 18446744073709551615", "odd: 1"]),
    );
    write("sessions/p/p-orchestrator-1.yaml", aoSession("p-orchestrator-1", ["runtime_handle: p-orchestrator-1"]));
    write(`sessions/p/.archive/${C}.yaml`, aoSession(C, ["status: merged"]));
    const l = fixture();
    await importFrom(l, "ao-rs");
    const { path, sessions } = await exportTo(l, "ao-rs");
    expect(sessions.map(({ outcome }) => outcome)).toEqual(["written", "written", "written"]);
    const before = await readForeign({ from: "ao-rs", path: folder });
    const after = await readForeign({ from: "ao-rs", path });
    const documents = (files: typeof before) =>
      (files.from === "ao-rs" ? files.sessions : []).map((each) => (each.readable ? each.document : null));
    expect(documents(after)).toEqual(documents(before).map((document) => expect.objectContaining(document as object)));
    expect(readdirSync(join(path, "sessions/p")).sort()).toEqual([".archive", "p-orchestrator-1.yaml"]);
  });

  test("reports sessions that cannot be represented or are running, and gives no folder to a program that deletes folders", async () => {
    const l = fixture();
    await l.sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const record = { ...trusty(B), name: "b", agent: "claude", updated_at: "2026-01-01T00:00:00Z", workspace_path: "/home/ada/own" };
    await l.store.create(SessionRecord.parse(record));
    await l.store.create(SessionRecord.parse({ ...record, id: C, name: "c", state: "deleted" }));
    const toAo = await exportTo(l, "ao-rs");
    expect(toAo.sessions).toContainEqual({
      ...{ id: B, name: "b", outcome: "written", reason: null },
      notes: [expect.stringContaining("ao-rs does not find it"), expect.stringContaining("by force")],
    });
    expect(toAo.sessions.find(({ name }) => name === "demo")).toMatchObject({
      outcome: "skipped",
      reason: expect.stringContaining("not shell"),
    });
    expect(readFileSync(join(toAo.path, `sessions/default/${B}.yaml`), "utf8")).toContain("\nworkspace_path: null\n");
    const toTrusty = await exportTo(l, "trusty-mpm");
    expect(toTrusty.sessions.find(({ id }) => id === C)).toMatchObject({ outcome: "skipped", reason: expect.stringContaining("state: ") });
  });
});

test("permissions of ao-rs map to the agent's own, with a note where names differ or are missing", async () => {
  const config = (agent: string) => [`agent: ${agent}`, "agent_config:", "  permissions: permissionless"];
  write(`sessions/p/${A}.yaml`, aoSession(A, config("claude-code")));
  write(`sessions/p/${B}.yaml`, aoSession(B, config("aider")));
  const l = fixture();
  const { documents } = await importFrom(l, "ao-rs");
  const notes = new Map(documents.map(({ id, notes }) => [id, notes]));
  expect(notes.get(A)).toContain("its permissions permissionless are bypassPermissions of claude");
  expect(notes.get(B)).toContain("its permissions permissionless have no counterpart for aider, which is launched with its own default");
  expect((await l.sessions.show({ session: A })).record.agent_config).toEqual({ permissions: "bypassPermissions" });
});

test("the name of a stopped session in the archive counts as in use for an import", async () => {
  const l = fixture();
  await l.sessions.create({ agent: "shell", cwd: "/w", name: "api" });
  await l.sessions.stop({ session: "api" });
  await l.sessions.archive({ session: "api" });
  write("sessions.json", { sessions: { [A]: trusty(A) } });
  expect((await importFrom(l, "trusty-mpm")).documents).toMatchObject([{ session: { name: "api-2" } }]);
  const entries = await l.store.list({ archived: true });
  const names = entries.flatMap((entry) => (entry.kind === "session" ? [entry.record.name] : []));
  expect(new Set(names).size).toBe(names.length);
});

test("an issue in trusty-mpm's correlation becomes the session's issue", async () => {
  const l = fixture();
  write("sessions.json", { sessions: { [A]: trusty(A, { correlation: { issue_id: 42, pr_id: 7, branch: null, worktree: null } }) } });
  await importFrom(l, "trusty-mpm");
  expect((await l.sessions.show({ session: A })).record).toMatchObject({ issue_id: "42", claimed_pr_number: 7 });
});

test("a thought of swimmers becomes the session's thought, with its counts", async () => {
  const l = fixture();
  write("session_registry.json", [swimmer("sess_0", { thought: "old", token_count: 5 }), swimmer("sess_1", { token_count: 0 })]);
  const cue = { kind: "commit_ready", status: "active", source: "transcript", confidence: "deterministic" };
  const imported = { thought: "reading logs", token_count: 44, context_limit: 200, commit_candidate: true, action_cues: [cue] };
  write("thoughts.json", { sess_0: { ...imported, thought_source: "llm", rest_state: "drowsy", updated_at: "2026-01-02T03:04:05Z" } });
  const { documents } = await importFrom(l, "swimmers");
  const thoughtOf = async (index: number) => (await l.sessions.show({ session: documents[index]?.session?.id ?? "" })).thought;
  expect(await thoughtOf(0)).toMatchObject({ ...imported, thought_source: "llm", thought_updated_at: "2026-01-02T03:04:05Z" });
  expect(await thoughtOf(1)).toMatchObject({ thought: null, token_count: 0 });
});

test("a session from ao-rs's archive is archived here and after an export; the sessions folder itself is accepted", async () => {
  const l = fixture();
  write(`sessions/p/.archive/${A}.yaml`, aoSession(A));
  write(`sessions/p/${B}.yaml`, aoSession(B));
  await importFrom(l, "ao-rs", { path: join(folder, "sessions") });
  expect((await l.sessions.list({ archived: true })).sessions.map(({ record }) => record.id)).toEqual([A]);
  expect((await l.sessions.list({})).sessions.map(({ record }) => record.id)).toEqual([B]);
  const { files } = await l.sessions.export({ to: "ao-rs" });
  expect(files).toMatchObject({ files: [{ file: `sessions/p/${B}.yaml` }, { file: `sessions/p/.archive/${A}.yaml` }] });
});

describe("a session that runs in a foreign tmux", () => {
  function theirs() {
    const foreign = fakeTmux({ socket: "/fake/f.sock" });
    const l = fixture({ foreign: () => foreign.driver, settings: { foreignSockets: ["/fake/f.sock"] } });
    return { foreign, l };
  }

  test("is bound by an import to its record, by name and directory, and cannot be started twice", async () => {
    const { foreign, l } = theirs();
    foreign.openForeign("tmpm-api", ["cat"], "/home/ada/api");
    foreign.openForeign("tmpm-web", ["cat"], "/elsewhere");
    write("sessions.json", { sessions: { [A]: trusty(A), [B]: trusty(B, { tmux_name: "tmpm-web" }) } });
    const tried = await importFrom(l, "trusty-mpm", { dry_run: true });
    const { documents } = await importFrom(l, "trusty-mpm");
    expect(documents.map(({ session, notes }) => [session, notes])).toEqual(tried.documents.map(({ session, notes }) => [session, notes]));
    expect(documents.map(({ session }) => session?.state)).toEqual(["active", "stopped"]);
    expect((await l.sessions.show({ session: A })).record).toMatchObject({ state: "active", adopted: { tmux_name: "tmpm-api" } });
    await expect(l.sessions.resume({ session: A })).rejects.toMatchObject({ code: "INVALID_STATE" });
    await expect(l.sessions.adopt({ target: "tmpm-api" })).rejects.toMatchObject({ code: "ALREADY_MANAGED" });
    await l.sessions.remove({ session: A });
    expect(await foreign.driver.list()).toMatchObject({ value: [{ tmuxName: "tmpm-api", exit: null }, { tmuxName: "tmpm-web" }] });
  });

  test("that starts after the import is adopted under its record's id", async () => {
    const { foreign, l } = theirs();
    write("sessions.json", { sessions: { [A]: trusty(A) } });
    await importFrom(l, "trusty-mpm");
    foreign.openForeign("tmpm-api", ["cat"], "/home/ada/api");
    expect((await l.sessions.adopt({ target: "tmpm-api" })).record).toMatchObject({ id: A, name: "api", state: "active" });
    expect(await l.store.list({ archived: true })).toHaveLength(1);
  });

  test("is bound to an explicitly named session, whatever its name, unless that session runs", async () => {
    const { foreign, l } = theirs();
    write("sessions.json", { sessions: { [A]: trusty(A) } });
    await importFrom(l, "trusty-mpm");
    foreign.openForeign("other", ["cat"], "/w");
    expect((await l.sessions.adopt({ target: "other", as: "api" })).record).toMatchObject({ id: A, state: "active", tmux_name: "other" });
    foreign.openForeign("more", ["cat"], "/w");
    await expect(l.sessions.adopt({ target: "more", as: "api" })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });
});

test("another home's rights, lineage, workspace and plans are not imported, and the notes list them", async () => {
  const workspace = {
    ...{ kind: "worktree", path: "/w/tree", nonce: "n", source: "/w", repository: "/w/.git", branch: "b", branch_made: true, base: null },
    trashed: null,
  };
  const foreign = {
    ...{ grant: { reach: "all", stop_children: true }, spawned_by: B, lineage: { root: B, depth: 1, path: [B] }, workspace },
    ...{ auto_resume: { attempts: [], next_at: "2026-01-01T00:00:00Z" }, let_go: { pane_id: "%1" } },
  };
  const l = fixture();
  const theirs = SessionRecord.parse({ ...trusty(A), ...foreign, agent: "claude", name: "api", updated_at: "2026-01-01T00:00:00Z" });
  await l.store.create({ ...theirs, state: "stopped", ephemeral: true });
  const { files } = await l.sessions.export({ to: "trusty-mpm" });
  const path = join(folder, "exported");
  await writeForeign(path, files);
  const other = fixture();
  const { documents } = await importFrom(other, "trusty-mpm", { path });
  expect(documents[0]?.notes).toContain(
    "not imported: its rights over other sessions, its place below another session, the ownership of its workspace, its removal when it ends",
  );
  const { record } = await other.sessions.show({ session: A });
  expect(record).toMatchObject({ grant: null, lineage: null, workspace: null, ephemeral: false, auto_resume: null });
  expect(record.let_go).toBeUndefined();
  const back = await other.sessions.export({ to: "trusty-mpm" });
  expect(JSON.stringify(back.files)).toContain("ephemeral");
});

test("a finished session is kept after its import as if it had finished at that time", async () => {
  const DAY = 86_400_000;
  write("sessions.json", { sessions: { [A]: trusty(A, { state: "decommissioned", terminal_at: "2023-11-14T22:13:20Z" }) } });
  const l = fixture();
  await importFrom(l, "trusty-mpm");
  expect(await l.sessions.housekeep()).toMatchObject({ archived: [], deleted: [] });
  l.tmux.advance(30 * DAY - 1);
  expect(await l.sessions.housekeep()).toMatchObject({ archived: [], deleted: [] });
  l.tmux.advance(1);
  expect(await l.sessions.housekeep()).toMatchObject({ archived: [A], deleted: [] });
  l.tmux.advance(30 * DAY);
  expect(await l.sessions.housekeep()).toMatchObject({ archived: [], deleted: [A] });
});
