import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentAdapter } from "@tmpm/agents";
import { workspaces } from "@tmpm/workspace";
import { describe, expect, test, vi } from "vitest";
import { CRASH } from "../fixtures/fixture.js";
import { repositoryFixture } from "../fixtures/repository-fixture.js";
import { turnAgent } from "../fixtures/turn-agent.js";
import { turnProgram } from "../fixtures/turn-program.js";
import { outcome, submit } from "../fixtures/turn-steps.js";

const carrier: AgentAdapter = {
  ...turnAgent,
  id: "carrier",
  limits: { ...turnAgent.limits, promptInArgv: 100 },
  launch: async ({ prompt }) => ({ argv: ["turn-agent", prompt ?? ""], env: {}, conversationId: null, carriesPrompt: true }),
};

/** Without an input of its own, like a shell. */
const plain: AgentAdapter = {
  ...turnAgent,
  id: "plain",
  read: (observation) => ({ ...turnAgent.read(observation), draft: null, source: "process" }),
};

/** Git takes real time; everything else takes none. */
const begun = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 120_000 });

async function shopWith(agent: string, prompt?: string) {
  const fixture = repositoryFixture(
    { "a.txt": "a\n" },
    {
      adapters: [turnAgent, carrier],
      programs: { "turn-agent": turnProgram(() => undefined) },
      settings: { turnTrees: true },
    },
  );
  const { session } = await fixture.sessions.create({ agent, cwd: fixture.repository, worktree: true, name: "demo", prompt });
  const changed = async (turn: string) => {
    const { files, base } = await fixture.sessions.diff({ session: "demo", turn });
    expect(base).toEqual({ commit: null, ref: null, found: "turn" });
    return files.map(({ path, status }) => `${status} ${path}`);
  };
  const { cwd, id } = session.record;
  return { ...fixture, fixture, changed, cwd, id, write: (name: string, text: string) => writeFileSync(join(cwd, name), text) };
}

describe("changes of a turn", { timeout: 240_000 }, () => {
  test("are those between its start and end, regardless of changes around them", async () => {
    const each = await shopWith(turnAgent.id);
    using _ = each.fixture;
    each.write("before.txt", "mine\n");
    const index = () => readFileSync(each.git(each.cwd, "rev-parse", "--path-format=absolute", "--git-path", "index").trim());
    const before = index();
    const first = await submit(each, "work 3000");
    expect(await begun(() => each.changed(first.turn.id))).toEqual([]);
    each.write("one.txt", "1\n");
    each.write("a.txt", "b\n");
    expect(await each.changed("last")).toEqual(["modified a.txt", "added one.txt"]);
    await outcome(each.sessions, first);
    expect(index()).toEqual(before);
    expect(await each.changed("last")).toEqual(["modified a.txt", "added one.txt"]);
    each.write("between.txt", "mine\n");
    const second = await submit(each, "work 3000");
    await begun(() => each.changed(second.turn.id));
    each.git(each.cwd, "add", "--all");
    each.git(each.cwd, "commit", "--quiet", "-m", "all");
    rmSync(join(each.cwd, "one.txt"));
    await outcome(each.sessions, second);
    expect(await each.changed(second.turn.id)).toEqual(["deleted one.txt"]);
    each.write("after.txt", "mine\n");
    expect(await each.changed(first.turn.id)).toEqual(["modified a.txt", "added one.txt"]);
    expect(each.git(each.repository, "for-each-ref", "--format=%(refname) %(objecttype)", "refs/tmpm").trim()).toBe(
      `refs/tmpm/turns/${each.id} tree`,
    );
    each.git(each.repository, "gc", "--quiet", "--prune=now");
    expect(await each.changed(first.turn.id)).toEqual(["modified a.txt", "added one.txt"]);
    expect(each.git(each.repository, "fsck", "--no-dangling")).toBe("");
    expect(each.git(each.repository, "log", "--all", "--format=%s").trim().split("\n")).toEqual(["all", "first"]);
    expect(each.faults).toEqual([]);
    await expect(each.sessions.diff({ session: "demo", turn: "nothing" })).rejects.toMatchObject({ code: "TURN_NOT_FOUND" });
  });

  test("are recorded for a launch prompt, and deleted with the session's record", async () => {
    const each = await shopWith("carrier", "work 3000");
    using _ = each.fixture;
    each.write("one.txt", "1\n");
    const [turn] = await each.sessions.turns({ session: "demo" });
    if (turn === undefined) throw new Error("there is no turn");
    await outcome(each.sessions, turn);
    expect(await each.changed("last")).toEqual(["added one.txt"]);
    await each.sessions.remove({ session: "demo", keep_workspace: true });
    await each.sessions.delete({ session: each.id, purge: true });
    expect(each.git(each.repository, "for-each-ref", "refs/tmpm")).toBe("");
  });

  test("are unknown without snapshots, and a failed snapshot delays no prompt", async () => {
    const each = await shopWith(turnAgent.id);
    using _ = each.fixture;
    rmSync(join(each.cwd, ".git"));
    const turn = await submit(each, "work 3000");
    await begun(async () => expect(each.faults).not.toEqual([]));
    expect(await outcome(each.sessions, turn)).toMatchObject({ outcome: "completed" });
    expect(each.faults.map(({ doing }) => doing)).toContain(`recording the changes of a turn of session ${each.id}`);
    each.write(".git", `gitdir: ${join(each.repository, ".git", "worktrees", `demo-${each.id.slice(0, 8)}`)}\n`);
    await expect(each.sessions.diff({ session: "demo", turn: "last" })).rejects.toMatchObject({ code: "TURN_NOT_FOUND" });
  });

  test("are missing when the machine lacks a resource, and the prompt is still submitted", async () => {
    const spaces = workspaces({ home: join(tmpdir(), "tmpm-has-no-workspaces") });
    const snapshot = async () => {
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC", syscall: "mkdtemp" });
    };
    const each = repositoryFixture(
      { "a.txt": "a\n" },
      {
        adapters: [turnAgent],
        programs: { "turn-agent": turnProgram(() => undefined) },
        settings: { turnTrees: true },
        ports: { workspaces: { ...spaces, snapshot } },
      },
    );
    using _ = each;
    const { session } = await each.sessions.create({ agent: turnAgent.id, cwd: each.repository, name: "demo" });
    const { receipt } = await each.sessions.send({ session: "demo", text: "work 3000" });
    expect(receipt.outcome).toBe("submitted");
    expect(each.faults.map(({ doing }) => doing)).toContain(`recording the changes of a turn of session ${session.record.id}`);
  });

  test.each([
    { text: "work 3000", agent: turnAgent.id, steps: ["pasting", "pasted", "tree", "arrived", "entering", "entered"] },
    { text: "work 3000\nmore", agent: turnAgent.id, steps: ["pasting", "tree", "pasted"] },
    { text: "work 3000", agent: plain.id, steps: ["pasting", "tree", "pasted", "arrived", "entering", "entered"] },
  ])("start before $text in $agent can take effect", async ({ text, agent, steps }) => {
    const seen: string[] = [];
    let open = () => undefined as unknown;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const spaces = workspaces({ home: join(tmpdir(), "tmpm-has-no-workspaces") });
    const snapshot = async (directory: string) => {
      await opened;
      const tree = await spaces.snapshot(directory);
      seen.push("tree");
      return tree;
    };
    const each = repositoryFixture(
      { "a.txt": "a\n" },
      {
        adapters: [turnAgent, plain],
        programs: { "turn-agent": turnProgram(() => undefined) },
        settings: { turnTrees: true },
        ports: { workspaces: { ...spaces, snapshot } },
      },
    );
    using _ = each;
    each.onStep((step) => {
      const name = /^send\.(pasting|pasted|arrived|entering|entered)$/.exec(step)?.[1];
      if (name !== undefined) seen.push(name);
      // The tree is taken as late as it may be.
      if (name === (steps[1] === "pasted" ? "pasted" : "pasting")) open();
    });
    await each.sessions.create({ agent, cwd: each.repository, name: "demo" });
    await each.sessions.send({ session: "demo", text });
    expect(seen.slice(0, steps.length)).toEqual(steps);
    expect(each.faults).toEqual([]);
  });

  test("begin before Enter after a crash between text and tree", async () => {
    const spaces = workspaces({ home: join(tmpdir(), "tmpm-has-no-workspaces") });
    let calls = 0;
    const snapshot = (directory: string) => (++calls === 1 ? new Promise<string>(() => undefined) : spaces.snapshot(directory));
    const each = repositoryFixture(
      { "a.txt": "a\n" },
      {
        adapters: [turnAgent],
        programs: { "turn-agent": turnProgram(() => undefined) },
        settings: { turnTrees: true },
        ports: { workspaces: { ...spaces, snapshot } },
      },
    );
    using _ = each;
    await each.sessions.create({ agent: turnAgent.id, cwd: each.repository, name: "demo" });
    each.crashAt("send.pasted");
    await expect(each.sessions.send({ session: "demo", text: "work 3000" })).rejects.toBe(CRASH);
    each.crashAt(null);
    const next = each.restarted();
    await expect.poll(async () => (await next.sends({ session: "demo" }))[0]?.receipt.outcome).toBe("submitted");
    const { files, turn } = await next.diff({ session: "demo", turn: "last" });
    expect([files, turn?.state, calls]).toEqual([[], "running", 2]);
  });
});
