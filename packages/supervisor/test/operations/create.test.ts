import { type AgentAdapter, shell } from "@tmpm/agents";
import { TmpmError } from "@tmpm/core";
import { exitingProgram } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import { asking, memoryHooks } from "../fixtures/asking-agent.js";
import { fixture } from "../fixtures/fixture.js";

describe("create", () => {
  test("launches the agent and records it as active, with its terminal's identity", async () => {
    const { sessions, tmux, dir, events } = fixture();
    const { session, receipt } = await sessions.create({ agent: "shell", cwd: dir, name: "demo" });
    expect(session.record).toMatchObject({ name: "demo", tmux_name: "tmpm-demo", state: "active", intent: null, cwd: dir, rev: 2 });
    expect(session.activity.state).toBe("idle");
    expect(receipt).toBeNull();
    const answer = await tmux.driver.list();
    expect(answer.kind === "present" && answer.value.map(({ sessionId, identity }) => [sessionId, identity])).toEqual([
      [session.record.id, session.record.pane],
    ]);
    expect(events.map(({ type }) => type)).toContain("session_created");
  });

  test("observations do not change an unfinished create", async () => {
    let look: () => Promise<unknown> = async () => undefined;
    const looked: unknown[] = [];
    const { sessions, events, dir } = fixture({
      ports: {
        reached: async (step) => {
          if (step.startsWith("create.")) looked.push(step, await look());
        },
      },
    });
    look = async () => (await sessions.reconcile()).findings;
    const { session } = await sessions.create({ agent: "shell", cwd: dir, name: "demo" });
    expect(session.record.state).toBe("active");
    expect(looked).toEqual(["reserved", "intended", "opened", "confirmed", "recorded"].flatMap((step) => [`create.${step}`, []]));
    expect(events.filter(({ type }) => type === "session_state_changed")).toEqual([
      expect.objectContaining({ from: "provisioning", to: "active" }),
    ]);
  });

  test("names a session after its directory, and adds a suffix to the next one", async () => {
    const { sessions } = fixture();
    const names = [];
    for (const cwd of ["/a/My Project", "/b/My Project", "/home/me"])
      names.push((await sessions.create({ agent: "shell", cwd })).session.record.name);
    expect(names).toEqual(["my-project", "my-project-2", expect.stringMatching(/^[a-z]+-[a-z]+$/)]);
  });

  test("two simultaneous creates with one name give one session and one NAME_TAKEN", async () => {
    const { sessions, tmux } = fixture();
    const results = await Promise.allSettled([1, 2].map(() => sessions.create({ agent: "shell", cwd: "/w", name: "same" })));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "NAME_TAKEN" } });
    const answer = await tmux.driver.list();
    expect(answer.kind === "present" && answer.value).toHaveLength(1);
  });

  test("a foreign tmux session of that name is not touched: a requested name is refused, a derived one gets a suffix", async () => {
    const { sessions, tmux, store } = fixture();
    await sessions.create({ agent: "shell", cwd: "/x/other" });
    tmux.openForeign("tmpm-mine");
    await expect(sessions.create({ agent: "shell", cwd: "/w", name: "mine" })).rejects.toMatchObject({
      code: "NAME_TAKEN",
      effect: "none",
    });
    expect(await store.find("mine")).toEqual([]);
    expect((await sessions.create({ agent: "shell", cwd: "/w/mine" })).session.record.name).toBe("mine-2");
  });

  test("a failed launch leaves nothing", async () => {
    const { sessions, store, tmux } = fixture();
    await expect(sessions.create({ agent: "shell", cwd: "/missing" })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
    await expect(sessions.create({ agent: "shell", cwd: "relative" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(sessions.create({ agent: "nobody", cwd: "/w" })).rejects.toMatchObject({ code: "AGENT_UNKNOWN" });
    await expect(sessions.create({ agent: "command", cwd: "/w", argv: ["no-such-program"] })).rejects.toMatchObject({
      code: "AGENT_NOT_INSTALLED",
    });
    await expect(sessions.create({ agent: "shell", cwd: "/w", prompt: "\u0000" })).rejects.toMatchObject({ code: "INVALID_TEXT" });
    tmux.failNext("create", new TmpmError("TMUX_FAILED", "no", { effect: "none" }));
    await expect(sessions.create({ agent: "shell", cwd: "/w" })).rejects.toMatchObject({ code: "TMUX_FAILED" });
    expect(await store.list({ archived: true })).toEqual([]);
  });

  test("a record that cannot be written starts nothing", async () => {
    const { sessions, store, tmux } = fixture();
    store.failNext("create", new TmpmError("STORAGE_FULL", "full"));
    await expect(sessions.create({ agent: "shell", cwd: "/w" })).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect((await tmux.driver.list()).kind).toBe("absent");
  });

  test("a program that ends at once is errored with its status and last lines, and its dead terminal is removed", async () => {
    const { sessions, tmux, store } = fixture({
      programs: { false: exitingProgram(3, "last words\n") },
    });
    const failure = sessions.create({ agent: "command", cwd: "/w", name: "short", argv: ["false"] });
    await expect(failure).rejects.toMatchObject({
      code: "LAUNCH_FAILED",
      details: { status: 3, last_lines: expect.arrayContaining(["last words"]) },
    });
    const [entry] = await store.find("short");
    expect(entry).toMatchObject({
      record: { state: "errored", intent: null, pane: null, exit: { status: 3 }, last_error: { code: "LAUNCH_FAILED" } },
    });
    const answer = await tmux.driver.list();
    expect(answer.kind === "present" ? answer.value : []).toEqual([]);
  });

  test("a program that ends at once with status 0 is a finished run, not an error", async () => {
    const { sessions } = fixture();
    const { session } = await sessions.create({ agent: "command", cwd: "/w", argv: ["true"] });
    expect(session.record).toMatchObject({ state: "stopped", exit: { status: 0 }, last_error: null });
  });

  test.each(["shell", "carrier"] as const)("a create that is rolled back ends its prompt, and leaves nothing (%s)", async (agent) => {
    const hooks = memoryHooks();
    const carrier: AgentAdapter = {
      ...asking,
      id: "carrier",
      limits: { ...asking.limits, promptInArgv: 100 },
      launch: async () => ({ argv: ["asking-agent"], env: {}, conversationId: null, carriesPrompt: true }),
    };
    const each = fixture({ adapters: [shell, carrier], ports: { hooks } });
    each.tmux.failNext("create", new TmpmError("TMUX_FAILED", "tmux refused"));
    await expect(each.sessions.create({ agent, cwd: "/w", name: "demo", prompt: "hello" })).rejects.toMatchObject({ code: "TMUX_FAILED" });
    const [id = ""] = each.events.flatMap((event) => (event.type === "session_created" ? [event.session_id] : []));
    expect(await each.store.get(id)).toBeNull();
    expect(each.events.filter(({ type }) => type === "turn_ended")).toMatchObject([{ session_id: id, outcome: "failed" }]);
    expect([await each.turnJournal.list(id), await each.sends.list(id), await hooks.tokenDigest(id)]).toEqual([[], [], null]);
    expect(each.faults).toEqual([]);
  });

  test("a create with a lost answer stays provisioning, and reconcile takes the session over", async () => {
    const { sessions, tmux, store } = fixture();
    tmux.failNext("create", "unknown");
    await expect(sessions.create({ agent: "shell", cwd: "/w", name: "late" })).rejects.toMatchObject({
      code: "TMUX_UNRESPONSIVE",
      effect: "unknown",
    });
    expect((await store.find("late"))[0]).toMatchObject({ record: { state: "provisioning", intent: { op: "create" } } });
    await sessions.reconcile();
    expect((await sessions.show({ session: "late" })).record).toMatchObject({ state: "active", intent: null });
  });
});
