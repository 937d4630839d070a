import { command, shell } from "@tmpm/agents";
import type { SessionOverrides } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { composer, fixture } from "../fixtures/fixture.js";
import { switching, switchingProgram } from "../fixtures/switching-agent.js";

async function hostFixture() {
  const adapter = switching();
  const files = new Map([["/home/me/settings", "mine"]]);
  const l = fixture({
    programs: { "switching-agent": switchingProgram },
    adapters: [shell, command, composer, adapter],
    ports: {
      // The program persists its settings, as Claude Code does.
      seed: async (wanted) => {
        for (const { path, merge } of wanted) {
          const next = merge(files.get(path) ?? null);
          if (next !== null) files.set(path, next);
        }
      },
    },
  });
  const { record } = (await l.sessions.create({ agent: "switching", cwd: "/w", name: "one" })).session;
  const typed = () => l.tmux.received("tmpm-one").flatMap((input) => (input.type === "paste" ? [input.text] : []));
  const kept = async (): Promise<SessionOverrides> => (await l.sessions.show({ session: "one" })).record.overrides;
  return { ...l, adapter, files, id: record.id, typed, kept };
}

describe("override", () => {
  test("changes an idle agent at once, when its screen confirms it, and keeps the change for the next launch (zeroclaw 5)", async () => {
    const { sessions, typed, adapter, kept } = await hostFixture();
    expect(await sessions.override({ session: "one", model: "good-1" })).toMatchObject({
      applied: { model: "live" },
      overrides: { model: "good-1" },
      notes: [],
    });
    expect(typed()).toEqual(["/model good-1"]);
    expect(await kept()).toEqual({ model: "good-1" });
    await sessions.restart({ session: "one" });
    expect(adapter.launches.at(-1)).toMatchObject({ model: "good-1" });
  });

  test("confirms when the agent asks for confirmation", async () => {
    const { sessions, tmux } = await hostFixture();
    expect((await sessions.override({ session: "one", model: "slow-1" })).applied).toEqual({ model: "live" });
    expect(tmux.received("tmpm-one").filter(({ type }) => type === "keys")).toHaveLength(2);
  });

  test("closes an unknown dialog of its own command", async () => {
    const { sessions, tmux, kept } = await hostFixture();
    const odd = await sessions.override({ session: "one", model: "odd-1" });
    expect(odd).toMatchObject({ applied: { model: "next_launch" }, notes: [expect.stringContaining("is unknown")] });
    expect(tmux.received("tmpm-one").at(-1)).toEqual({ type: "keys", keys: ["Escape"] });
    expect(await kept()).toEqual({ model: "odd-1" });
  });

  test("removes its own command from the input when Enter does nothing", async () => {
    const { sessions, tmux, kept } = await hostFixture();
    const stuck = await sessions.override({ session: "one", model: "stuck-1" });
    expect(stuck).toMatchObject({ applied: { model: "next_launch" }, notes: [expect.stringContaining("was removed")] });
    expect(tmux.received("tmpm-one").at(-1)).toEqual({ type: "keys", keys: ["C-c"] });
    expect((await sessions.send({ session: "one", text: "plain" })).receipt).toMatchObject({ outcome: "submitted" });
    expect(await kept()).toEqual({ model: "stuck-1" });
  });

  test("reverts all changes when the agent refuses one", async () => {
    const { sessions, typed, kept } = await hostFixture();
    await sessions.override({ session: "one", model: "good-1" });
    await expect(sessions.override({ session: "one", model: "good-2", reasoning_effort: "bad" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("unknown bad"),
    });
    expect(await kept()).toEqual({ model: "good-1" });
    expect(typed()).toEqual(["/model good-1", "/model good-2", "/effort bad", "/model good-1"]);
  });

  test("waits for the next launch while the agent works, a prompt is pending or the session is paused, and types nothing", async () => {
    const { sessions, typed, adapter } = await hostFixture();
    await sessions.send({ session: "one", text: "busy" });
    const busy = await sessions.override({ session: "one", model: "good-1" });
    expect(busy).toMatchObject({
      applied: { model: "next_launch" },
      notes: [expect.stringMatching(/^model: .*set it again .*, or restart/)],
    });
    expect(typed()).toEqual(["busy"]);
    await sessions.restart({ session: "one" });
    expect(adapter.launches.at(-1)).toMatchObject({ model: "good-1" });
    await sessions.pause({ session: "one" });
    expect((await sessions.override({ session: "one", model: "good-2" })).notes).toEqual(["model: session one is paused"]);
  });

  test("waits for the next launch if the agent has no command, or the session does not run", async () => {
    const { sessions, adapter } = await hostFixture();
    expect((await sessions.override({ session: "one", model_provider: "p" })).applied).toEqual({ model_provider: "next_launch" });
    await sessions.stop({ session: "one" });
    expect((await sessions.override({ session: "one", model: "good-1" })).applied).toEqual({ model: "next_launch" });
    await sessions.resume({ session: "one" });
    expect(adapter.launches.at(-1)).toMatchObject({ model: "good-1", model_provider: "p" });
  });

  test("a provider without a model resets the model, and the answer reports both (zeroclaw 7, 9)", async () => {
    const { sessions, kept, adapter } = await hostFixture();
    await sessions.override({ session: "one", model: "good-1" });
    const switched = await sessions.override({ session: "one", model_provider: "p" });
    expect(switched.applied).toEqual({ model: "live", model_provider: "next_launch" });
    expect(await kept()).toEqual({ model_provider: "p" });
    await sessions.override({ session: "one", model: "good-2" });
    await sessions.override({ session: "one", model_provider: "p" });
    await sessions.restart({ session: "one" });
    expect(adapter.launches.at(-1)).toEqual({ model_provider: "p" });
  });

  test("null restores the agent's default, live and for the next launch", async () => {
    const { sessions, kept, typed, adapter } = await hostFixture();
    await sessions.override({ session: "one", model: "good-1" });
    expect((await sessions.override({ session: "one", model: null })).applied).toEqual({ model: "live" });
    expect(typed().at(-1)).toBe("/model good-default");
    expect(await kept()).toEqual({});
    await sessions.restart({ session: "one" });
    expect(adapter.launches.at(-1)).toEqual({});
  });

  test("unsupported fields are refused with the supported ones; blank and malformed values too (zeroclaw 41)", async () => {
    const { sessions, typed, kept } = await hostFixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "plain" });
    await expect(sessions.override({ session: "plain", model: "m" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "Shell does not support setting a model",
      hint: "Agents that support it: Switching.",
    });
    await expect(sessions.override({ session: "one", temperature: 1 })).rejects.toMatchObject({ hint: "No agent supports it." });
    for (const patch of [{ model: " " }, { model_provider: "" }, { temperature: 3 }, { reasoning_effort: "enormous" }, {}]) {
      await expect(sessions.override({ session: "one", ...patch })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(typed()).toEqual([]);
    expect(await kept()).toEqual({});
  });

  test("overrides of a missing or finished session are refused (zeroclaw 10)", async () => {
    const { sessions } = await hostFixture();
    await expect(sessions.override({ session: "ghost", model: "m" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await sessions.remove({ session: "one" });
    await expect(sessions.override({ session: "one", model: "good" })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  test("concurrent changes apply in the order of the calls: the last kept value is the agent's last one", async () => {
    const { sessions, kept, typed } = await hostFixture();
    const models = Array.from({ length: 8 }, (_, index) => `good-${index}`);
    await Promise.all(models.map((model) => sessions.override({ session: "one", model })));
    expect(typed()).toEqual(models.map((model) => `/model ${model}`));
    expect(await kept()).toEqual({ model: "good-7" });
  });

  test("restores the user's file in which the agent keeps the change for its other sessions", async () => {
    const { sessions, files, tmux } = await hostFixture();
    const changing = sessions.override({ session: "one", model: "slow-1" });
    while (tmux.received("tmpm-one").length === 0) await new Promise(setImmediate);
    files.set("/home/me/settings", "changed by the agent");
    await changing;
    expect(files.get("/home/me/settings")).toBe("mine");
  });

  test("concurrent changes in two sessions restore that file as it was before both", async () => {
    const { sessions, files, tmux } = await hostFixture();
    await sessions.create({ agent: "switching", cwd: "/w", name: "two" });
    const change = async (session: string) => {
      const changing = sessions.override({ session, model: "slow-1" });
      const typed = (async () => {
        while (tmux.received(`tmpm-${session}`).length === 0) await new Promise(setImmediate);
        files.set("/home/me/settings", `changed by ${session}`);
      })();
      return { typed, changing };
    };
    const one = await change("one");
    await one.typed;
    const two = await change("two");
    await Promise.all([one.changing, two.typed, two.changing]);
    expect(files.get("/home/me/settings")).toBe("mine");
  });

  test("the event names the changed fields only, without values", async () => {
    const { sessions, events } = await hostFixture();
    await sessions.override({ session: "one", model: "good-secret" });
    const edited = events.filter(({ type }) => type === "session_edited");
    expect(edited).toEqual([expect.objectContaining({ fields: ["model"], reason: "asked" })]);
    expect(JSON.stringify(edited)).not.toContain("good-secret");
  });
});

test("overrides given at creation are checked first", async () => {
  const { sessions, adapter, store } = await hostFixture();
  const made = await sessions.create({
    agent: "switching",
    cwd: "/w",
    name: "two",
    model: "m",
    model_provider: "p",
    reasoning_effort: "good",
  });
  expect(adapter.launches.at(-1)).toEqual({ model: "m", model_provider: "p", reasoning_effort: "good" });
  expect(made.session.record).toMatchObject({
    overrides: { model: "m", model_provider: "p", reasoning_effort: "good" },
    agent_config: { model: "m" },
  });
  await expect(sessions.create({ agent: "switching", cwd: "/w", name: "three", temperature: 1 })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect(await store.find("three")).toEqual([]);
});

test("an old record with a model only in its configuration is overridden", async () => {
  const { sessions, store, id, adapter } = await hostFixture();
  await store.update(id, (current) => ({ ...current, agent_config: { model: "old" } }));
  await sessions.restart({ session: "one" });
  expect(adapter.launches.at(-1)).toEqual({ model: "old" });
  await sessions.override({ session: "one", model_provider: "p" });
  await sessions.restart({ session: "one" });
  expect(adapter.launches.at(-1)).toEqual({ model_provider: "p" });
});

describe("permissions", () => {
  test("are passed at every launch of an agent that supports them, kept in the record, and rejected for any other", async () => {
    const able = switching();
    const adapter = { ...able, overrides: { fields: able.overrides?.fields ?? [] }, permissionsFlag: "--may" };
    const l = fixture({ programs: { "switching-agent": switchingProgram }, adapters: [shell, adapter] });
    const { record } = (await l.sessions.create({ agent: "switching", cwd: "/w", name: "one", permissions: " plan " })).session;
    expect(record.agent_config).toMatchObject({ permissions: "plan" });
    await l.sessions.restart({ session: "one" });
    expect(adapter.launches.length).toBeGreaterThan(1);
    expect(new Set(adapter.launches.map(({ permissions }) => permissions))).toEqual(new Set(["plan"]));
    for (const permissions of ["--yolo", "a b", ""])
      await expect(l.sessions.create({ agent: "switching", cwd: "/w", permissions })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await l.sessions.override({ session: "one", permissions: "auto" });
    await l.sessions.restart({ session: "one" });
    expect(adapter.launches.at(-1)).toMatchObject({ permissions: "auto" });
    await l.sessions.override({ session: "one", permissions: null });
    await l.sessions.restart({ session: "one" });
    expect(adapter.launches.at(-1)).not.toHaveProperty("permissions");
    await expect(l.sessions.create({ agent: "shell", cwd: "/w", permissions: "plan" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      hint: expect.stringContaining(adapter.title),
    });
  });
});
