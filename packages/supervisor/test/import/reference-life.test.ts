import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { shell } from "@tmpm/agents";
import { type ForeignExport, readForeign, writeForeign } from "@tmpm/store/foreign";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";

const A = "550e8400-e29b-41d4-a716-446655440000";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tmpm-life-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The pretty format of serde_json. */
function write(file: string, content: unknown): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  const text = typeof content === "string" ? content : JSON.stringify(content, undefined, 2);
  writeFileSync(path, text);
  return text;
}

/** A shell with the name under which the references run their program. */
function hostFixture() {
  return fixture({ adapters: [shell, { ...shell, id: "claude", title: "Claude Code", permissionsFlag: "--permission-mode" }] });
}

async function exported(l: ReturnType<typeof hostFixture>, to: ForeignExport["to"]): Promise<string> {
  const path = join(folder, `out-${to}-${l.events.length}`);
  await writeForeign(path, (await l.sessions.export({ to })).files);
  return path;
}

/** The owner's operations on a session in a day. */
async function work(l: ReturnType<typeof hostFixture>, session: string) {
  l.tmux.advance(60_000);
  await l.sessions.resume({ session });
  await l.sessions.send({ session, text: "echo hi" });
  await l.sessions.set({ session, task: "fix the build" });
  await l.sessions.stop({ session });
  await l.sessions.archive({ session });
  await l.sessions.reactivate({ session });
}

const TRUSTY = {
  id: A,
  tmux_name: "tmpm-api",
  pane_id: null,
  tmux_server: null,
  cwd: "/w",
  task: "ünïcode \u2028 task",
  state: "stopped",
  created_at: "2023-11-14T22:13:20.123456789Z",
  stop_cause: "Deliberate",
  future_field: { odd: [1, null] },
};

test("a session of trusty-mpm works here and is exported, with its unusual values", async () => {
  write("sessions.json", { sessions: { [A]: TRUSTY } });
  const l = hostFixture();
  await l.sessions.import({ files: await readForeign({ from: "trusty-mpm", path: folder }) });
  const untouched = JSON.parse(readFileSync(await exported(l, "trusty-mpm"), "utf8")).sessions[A];
  expect(untouched).toMatchObject(TRUSTY);
  await work(l, "api");
  const back = JSON.parse(readFileSync(await exported(l, "trusty-mpm"), "utf8")).sessions[A];
  expect(back).toMatchObject({
    id: A,
    state: "stopped",
    task: "fix the build",
    created_at: TRUSTY.created_at,
    future_field: TRUSTY.future_field,
  });
});

const SWIMMERS = [
  {
    session_id: "sess_07",
    tmux_name: "fix #42",
    tmux_target: { type: "socket_name", value: "work" },
    state: "attention",
    tool: "Claude Code",
    token_count: 44,
    context_limit: 200000,
    thought: "reading logs",
    thought_state: "holding",
    thought_source: "llm",
    thought_updated_at: "2026-01-02T03:04:05.123Z",
    rest_state: "drowsy",
    commit_candidate: true,
    action_cues: [{ kind: "commit_ready", status: "active", source: "transcript", confidence: "deterministic" }],
    objective_changed_at: null,
    last_skill: "review",
    objective_fingerprint: { hash: "deadbeef" },
    cwd: "/w",
    last_activity_at: "2026-01-02T03:04:05.123456789Z",
  },
];

test("a session of swimmers is exported byte for byte, and works here", async () => {
  const text = write("session_registry.json", SWIMMERS);
  const l = hostFixture();
  const { documents } = await l.sessions.import({ files: await readForeign({ from: "swimmers", path: folder }) });
  expect(readFileSync(join(await exported(l, "swimmers"), "session_registry.json"), "utf8")).toBe(text);
  const id = documents[0]?.session?.id ?? "";
  await work(l, id);
  const [back] = JSON.parse(readFileSync(join(await exported(l, "swimmers"), "session_registry.json"), "utf8"));
  expect(back).toMatchObject({
    session_id: id,
    tmux_name: "tmpm-fix-42",
    state: "exited",
    tool: "Claude Code",
    thought: "reading logs",
    token_count: 44,
  });
});

const AO = [
  ...[`id: ${A}`, "project_id: my.app", "status: killed", "agent: claude-code", "agent_config:", "  permissions: permissionless"],
  ...["branch: ao-550e8400", "task: t", "workspace_path: null", "runtime_handle: 550e8400", "runtime: tmux", "activity: exited"],
  ...["created_at: 1700000000123", 'issue_id: "42"', "last_review_backlog_fingerprint: 18446744073709551615", "odd: 1"],
].join("\n");

test("a session of ao-rs is exported value for value, and works here", async () => {
  write(`sessions/my.app/${A}.yaml`, AO);
  const l = hostFixture();
  await l.sessions.import({ files: await readForeign({ from: "ao-rs", path: folder }) });
  const documentIn = async (path: string) => {
    const files = await readForeign({ from: "ao-rs", path });
    const [first] = files.from === "ao-rs" ? files.sessions : [];
    return first?.readable === true ? (first.document as Record<string, unknown>) : {};
  };
  const before = await documentIn(folder);
  const { tmpm: _ours, ...untouched } = await documentIn(await exported(l, "ao-rs"));
  expect(untouched).toEqual(before);
  await l.sessions.set({ session: A, cwd: "/w" });
  await work(l, A);
  const back = await documentIn(await exported(l, "ao-rs"));
  expect(back).toMatchObject({
    status: "killed",
    task: "fix the build",
    agent_config: { permissions: "permissionless" },
    odd: 1,
    issue_id: "42",
  });
  expect(back.last_review_backlog_fingerprint).toBe(18446744073709551615n);
});
