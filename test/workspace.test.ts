import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CreateAnswer, RemoveAnswer, SessionAnswer, UndoAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { CHECKOUT, eventually, type Fixture, fixture, gone, sharedFixture } from "./fixture.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const seed = Number(process.env.TMPM_TEST_SEED ?? 0);
const RECOVERY_MS = 2_000;

const STEPS = [
  ...["create.planned", "workspace.reserved", "workspace.added", "workspace.marked", "workspace.filled", "create.provisioned"],
  ...["create.preparing", "create.prepared"],
  ...[
    "remove.intended",
    "workspace.listed",
    "workspace.detached",
    "workspace.moved",
    "workspace.registered",
    "workspace.trashed",
    "remove.trashed",
  ],
  ...[
    "undo.intended",
    "workspace.restoring",
    "workspace.returned",
    "workspace.attached",
    "undo.restored",
    "undo.unarchived",
    "undo.recorded",
  ],
];
/** One of each operation, selected by the seed; all of them at full scale. */
const SAMPLE = [
  ["workspace.added", "kill"],
  ["workspace.moved", "kill"],
  ["workspace.returned", "throw"],
] as const;

const NEW = ["new", "--worktree", "--name", "demo", "--setup"];
const REMOVE = ["rm", "demo", "--discard"];

/** The last command is the one that fails. */
function commandsFor(step: string): readonly (readonly string[])[] {
  const index = STEPS.indexOf(step);
  if (index <= STEPS.indexOf("create.prepared")) return [NEW];
  return index <= STEPS.indexOf("remove.trashed") ? [NEW, REMOVE] : [NEW, REMOVE, ["undo"]];
}

const cases =
  scale >= 10
    ? STEPS.flatMap((step) => (["kill", "throw"] as const).map((fault) => [step, fault] as const))
    : [SAMPLE[seed % SAMPLE.length] ?? SAMPLE[0]];

describe("workspace", () => {
  const shared = sharedFixture();

  test("is set up after the user's consent, is not removed with unsaved work, goes to the trash, and is restored", {
    timeout: 180_000,
  }, async () => {
    const w = shared();
    startRepository(w.dir, "echo ready > ready");
    const before = await w.tmpm(["new", "--worktree", "--name", "before"]);
    expect(before).toMatchObject({ code: 0, stderr: expect.stringContaining("without your consent") });
    expect((await w.tmpm(["trust"])).stdout).toContain("run  echo ready > ready");
    const created = await w.json<CreateAnswer>(["new", "--worktree", "--name", "demo"]);
    expect(created.setup?.state).toBe("done");
    expect(readFileSync(join(created.cwd, "ready"), "utf8")).toBe("ready\n");
    expect(git(created.cwd, "branch", "--show-current")).toBe("tmpm/demo\n");

    const file = join(created.cwd, "new.txt");
    writeFileSync(file, "work");
    const refused = await w.tmpm(["rm", "demo"]);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("1 file untracked") });
    expect((await w.api.show({ session: "demo" })).state).toBe("stopped");
    writeFileSync(file, Buffer.from("caf\xe9\n\0", "latin1"));
    const patch = join(w.home, "..", "demo.patch");
    writeFileSync(patch, execFileSync(CHECKOUT, ["diff", "demo"], { cwd: w.dir, env: w.env }));
    git(w.dir, "apply", patch);
    expect(readFileSync(join(w.dir, "new.txt"), "latin1")).toBe("caf\xe9\n\0");
    rmSync(join(w.dir, "new.txt"));
    rmSync(file);
    expect(await w.json<RemoveAnswer>(["rm", "demo"])).toMatchObject({
      state: "decommissioned",
      workspace_end: { outcome: "trashed", branch: { outcome: "deleted" } },
    });
    expect(existsSync(created.cwd)).toBe(false);
    expect(await w.json<UndoAnswer>(["undo"])).toMatchObject({ id: created.id, state: "stopped", notes: [] });
    expect((await w.json<SessionAnswer>(["resume", "demo"])).cwd).toBe(created.cwd);
    expect(git(created.cwd, "status", "--porcelain", "--branch")).toBe("## tmpm/demo\n");
  });

  test("ends its set-up when the daemon is killed, and the next one reports it", { timeout: 180_000 }, async () => {
    const w = shared();
    const repository = join(w.home, "..", "killed");
    mkdirSync(repository);
    startRepository(repository, "echo $$ > ready; sleep 300");
    await w.tmpm(["daemon", "start"]);
    const pid = await w.daemonPid();
    const making = w.tmpm(["new", "--worktree", "--name", "killed", "--setup", "--cwd", repository]);
    const ready = () => join(workspaceOf(repository), "ready");
    const line = await eventually(async () => (existsSync(ready()) ? Number(readFileSync(ready(), "utf8")) || null : null));
    process.kill(pid, "SIGKILL");
    expect((await making).code).not.toBe(0);
    await gone(line);
    const session = await settled(w, { name: "killed", what: "a set-up whose daemon was killed" });
    expect(session).toMatchObject({ state: "errored", last_error: { code: "SETUP_FAILED" }, setup: { state: "failed" } });
    expect(existsSync(join(session?.cwd ?? "", "ready"))).toBe(true);
  });
});

describe("the built daemon loses no work and leaves nothing incomplete after a failure at", () => {
  test.each(cases)("%s by %s", { timeout: 180_000 }, async (step, fault) => {
    await using w = await fixture();
    startRepository(w.dir, "test -d .");
    const commands = commandsFor(step);
    for (const command of commands.slice(0, -1)) {
      await w.json(command);
      if (command === NEW) writeFileSync(join(workspaceOf(w.dir), "new.txt"), "work");
    }
    await w.stopDaemon();
    expect((await w.tmpm(["daemon", "start"], { env: { TMPM_FAILPOINT: `${step}:${fault}` } })).code).toBe(0);
    expect((await w.tmpm(commands.at(-1) ?? [])).code).not.toBe(0);
    const session = await settled(w, { name: "demo", what: `${step} by ${fault}` });
    if (commands.length > 1) await expectWork(w, session);
    const standing = session?.workspace != null && session.workspace.trashed === null;
    const registered = session?.workspace == null ? 1 : 2;
    expect(git(w.dir, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(registered);
    expect(existsSync(session?.workspace?.path ?? "/nonexistent")).toBe(standing);
    expect((await w.json<CreateAnswer>(["new", "--worktree", "--name", "next"])).state).toBe("active");
  });
});

function git(directory: string, ...args: readonly string[]): string {
  const person = ["-c", "user.name=Demo", "-c", "user.email=demo@example.com", "-c", "init.defaultBranch=main"];
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-C", directory, ...person, ...args], { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
}

function startRepository(directory: string, line: string): void {
  git(directory, "init", "--quiet");
  writeFileSync(join(directory, ".tmpm.yaml"), `setup:\n  run:\n    - ${line}\n`);
  writeFileSync(join(directory, ".gitignore"), "ready\n");
  git(directory, "add", ".tmpm.yaml", ".gitignore");
  git(directory, "commit", "--quiet", "-m", "first");
}

/** The worktree of a repository besides the main one. */
function workspaceOf(repository: string): string {
  const [, second] = git(repository, "worktree", "list", "--porcelain").match(/^worktree .*$/gm) ?? [];
  return second?.replace(/^worktree /, "") ?? "/nonexistent";
}

/** Verifies that the work exists, or can be restored. */
async function expectWork(w: Fixture, session: SessionAnswer | undefined): Promise<void> {
  if (session?.state === "decommissioned") await w.json(["undo", session.id]);
  expect(readFileSync(join(session?.cwd ?? "", "new.txt"), "utf8")).toBe("work");
  expect(git(session?.cwd ?? "", "status", "--porcelain", "--branch")).toBe("## tmpm/demo\n?? new.txt\n");
  if (session?.state === "decommissioned") await w.json(["rm", session.id, "--discard"]);
}

/** The session with that name once none of its operations is unfinished, or null. */
async function settled(w: Fixture, { name, what }: { readonly name: string; readonly what: string }): Promise<SessionAnswer | undefined> {
  await w.tmpm(["ls"]);
  const started = Date.now();
  const { found } = await eventually(async () => {
    const { sessions } = await w.api.list({ all: true });
    return sessions.every(({ intent }) => intent === null) ? { found: sessions.find((session) => session.name === name) } : null;
  });
  console.log(`${what}: settled after ${((Date.now() - started) / RECOVERY_MS).toFixed(2)} of the time allowed`);
  return found;
}
