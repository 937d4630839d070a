import { TmpmError } from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import { tmuxHost } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import { composerProgram } from "../fixtures/composer-program.js";
import { scriptedProtocol } from "../fixtures/conversation-host.js";
import { CRASH, composer, fixture } from "../fixtures/fixture.js";

type Missing = Extract<Awaited<ReturnType<SessionHost["available"]>>, { kind: "missing" }>;
const MISSING: Missing = { kind: "missing", reason: "tmux is not installed", hint: "Install tmux." };

/** A session on tmux, a second host with terminals, and one without. Tmux can be removed, as if uninstalled. */
async function hostFixture() {
  const programs = { "composer-agent": composerProgram({}) };
  const [tmux, other] = [fakeTmux({ home: "fixture", programs }), fakeTmux({ home: "fixture", programs, socket: "/fake/ptys/s" })];
  const gone = { tmux: false };
  const first = tmuxHost({ driver: tmux.driver });
  const usual: SessionHost = { ...first, available: async () => (gone.tmux ? MISSING : first.available()) };
  const unclear = { ids: [] as string[] };
  const pty: SessionHost = {
    ...tmuxHost({ driver: other.driver }),
    control: "Pty",
    async requireNone(id) {
      if (unclear.ids.includes(id)) throw new TmpmError("UNRESPONSIVE", "a holder of the session may run");
    },
  };
  const agent = scriptedProtocol(tmux.now);
  const speaking = { ...composer, protocol: { ...composer } };
  const l = fixture({ tmux, adapters: [speaking], ports: { hosts: [usual, pty, agent.host] } });
  const { record } = (await l.sessions.create({ agent: "composer", cwd: "/w", name: "demo" })).session;
  const show = async () => (await l.sessions.show({ session: "demo" })).record;
  return { ...l, tmux, other, gone, unclear, agent, record, show };
}

describe("stopped session", () => {
  test("on a host that no longer exists stays unchanged, and names the command that resumes it elsewhere", async () => {
    const { sessions, gone, show, record } = await hostFixture();
    await sessions.stop({ session: "demo" });
    gone.tmux = true;
    const stopped = await show();
    for (const again of [sessions.resume, sessions.restart]) {
      await expect(again({ session: "demo" })).rejects.toMatchObject({
        code: "HOST_UNAVAILABLE",
        message: "host tmux is not available: tmux is not installed",
        hint: "`tmpm resume demo --host pty` resumes it there. Or: Install tmux.",
      });
    }
    expect(await show()).toEqual(stopped);
    const moved = await sessions.resume({ session: "demo", control: "Pty" });
    expect(moved.record).toMatchObject({ control: "Pty", state: "active", conversation_id: record.conversation_id });
  });

  test("moves to the requested host, stays there, and moves back the same way", async () => {
    const { sessions, tmux, other } = await hostFixture();
    const count = () =>
      Promise.all(
        [tmux, other].map(async ({ driver }) => {
          const answer = await driver.list();
          return answer.kind === "present" ? answer.value.length : 0;
        }),
      );
    await sessions.stop({ session: "demo" });
    await sessions.resume({ session: "demo", control: "Pty" });
    expect(await count()).toEqual([0, 1]);
    await sessions.restart({ session: "demo" });
    await sessions.stop({ session: "demo" });
    await sessions.resume({ session: "demo" });
    expect(await count()).toEqual([0, 1]);
    await sessions.stop({ session: "demo" });
    await sessions.resume({ session: "demo", control: "Tmux" });
    expect(await count()).toEqual([1, 0]);
  });

  test("moves to a protocol host and back with its conversation; a custom command does not", async () => {
    const { sessions, agent, record, show, store } = await hostFixture();
    await sessions.stop({ session: "demo" });
    await sessions.resume({ session: "demo", control: "Sdk" });
    expect(agent.begun).toMatchObject([{ conversationId: record.conversation_id }]);
    await sessions.stop({ session: "demo" });
    await sessions.resume({ session: "demo", control: "Tmux" });
    expect(await show()).toMatchObject({ control: "Tmux", state: "active", conversation_id: record.conversation_id });
    await sessions.stop({ session: "demo" });
    await store.update(record.id, (current) => ({ ...current, agent_config: { ...current.agent_config, argv: ["mine"] } }));
    await expect(sessions.resume({ session: "demo", control: "Sdk" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT", effect: "none" });
  });

  test("stays on its host when the other one cannot start it", async () => {
    const { sessions, other, show } = await hostFixture();
    await sessions.stop({ session: "demo" });
    other.failNext("create", new TmpmError("TMUX_FAILED", "no", { effect: "none" }));
    await expect(sessions.resume({ session: "demo", control: "Pty" })).rejects.toMatchObject({ code: "TMUX_FAILED" });
    expect(await show()).toMatchObject({ control: "Tmux", state: "stopped", intent: null });
  });

  test("is adopted on the other host after an interrupted move", async () => {
    const { sessions, crashAt, restarted } = await hostFixture();
    await sessions.stop({ session: "demo" });
    crashAt("resume.opened");
    await expect(sessions.resume({ session: "demo", control: "Pty" })).rejects.toBe(CRASH);
    crashAt(null);
    const next = restarted();
    await next.reconcile({});
    expect((await next.show({ session: "demo" })).record).toMatchObject({ control: "Pty", state: "active", intent: null });
  });
});

describe("running session", () => {
  const count = async ({ driver }: Awaited<ReturnType<typeof hostFixture>>["tmux"]) => {
    const answer = await driver.list();
    return answer.kind === "present" ? answer.value.length : 0;
  };

  test("is ended on its host and resumes with its conversation on the host given to restart; a stopped one is only started", async () => {
    const { sessions, tmux, other, record, show, agent } = await hostFixture();
    await sessions.restart({ session: "demo", control: "Pty" });
    expect([await count(tmux), await count(other)]).toEqual([0, 1]);
    expect(await show()).toMatchObject({ control: "Pty", state: "active", intent: null, conversation_id: record.conversation_id });
    await sessions.restart({ session: "demo", control: "Sdk" });
    expect([await count(other), agent.begun]).toMatchObject([0, [{ conversationId: record.conversation_id }]]);
    await sessions.stop({ session: "demo" });
    await sessions.restart({ session: "demo", control: "Tmux" });
    expect(await count(tmux)).toBe(1);
  });

  test("continues unchanged when the host given to restart cannot take it", async () => {
    const { sessions, gone, show, record, store } = await hostFixture();
    await sessions.restart({ session: "demo", control: "Pty" });
    gone.tmux = true;
    const before = await show();
    await expect(sessions.restart({ session: "demo", control: "Tmux" })).rejects.toMatchObject({
      code: "HOST_UNAVAILABLE",
      hint: "Install tmux.",
    });
    expect(await show()).toEqual(before);
    await store.update(record.id, (current) => ({ ...current, agent_config: { ...current.agent_config, argv: ["mine"] } }));
    await expect(sessions.restart({ session: "demo", control: "Sdk" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT", effect: "none" });
    expect(await show()).toMatchObject({ control: "Pty", state: "active", intent: null });
  });

  test("is stopped on its host when the other one fails at the last step of the start", async () => {
    const { sessions, other, show } = await hostFixture();
    other.failNext("create", new TmpmError("TMUX_FAILED", "no", { effect: "none" }));
    await expect(sessions.restart({ session: "demo", control: "Pty" })).rejects.toMatchObject({ code: "TMUX_FAILED" });
    expect(await show()).toMatchObject({ control: "Tmux", state: "stopped", intent: null });
  });

  test.each(["restart.intended", "restart.killed", "restart.stopped", "restart.opening", "restart.opened", "restart.confirmed"] as const)(
    "reaches the host given to restart, also when interrupted at %s",
    async (step) => {
      const { sessions, crashAt, restarted, tmux, other } = await hostFixture();
      crashAt(step);
      await expect(sessions.restart({ session: "demo", control: "Pty" })).rejects.toBe(CRASH);
      crashAt(null);
      const next = restarted();
      await next.reconcile({});
      expect((await next.show({ session: "demo" })).record).toMatchObject({ control: "Pty", state: "active", intent: null });
      expect([await count(tmux), await count(other)]).toEqual([0, 1]);
    },
  );

  test("with a second program on its host is not moved, and nothing is started elsewhere", async () => {
    const { sessions, tmux, other, show, record } = await hostFixture();
    await tmux.driver.create({ sessionId: record.id, tmuxName: "left", cwd: "/", argv: ["cat"], env: {}, columns: 80, rows: 24 });
    await expect(sessions.restart({ session: "demo", control: "Pty" })).rejects.toMatchObject({ code: "INVALID_STATE" });
    expect([await count(other), await show()]).toMatchObject([0, { control: "Tmux", state: "stopped", intent: null }]);
  });
});

describe("a program that may still run on a host that is not installed", () => {
  /** Tmux was uninstalled, and its server runs on unless `ended`. */
  async function uninstalled({ ended }: { readonly ended: boolean }) {
    const each = await hostFixture();
    if (ended) each.tmux.killServer();
    each.gone.tmux = true;
    for (let times = 0; times < 20; times++) each.tmux.failNext("list", new TmpmError("TMUX_NOT_FOUND", "cannot run tmux"));
    return each;
  }

  const LAUNCHING = { state: "provisioning", pane: null } as const;

  test("prevents a session from being stopped, or resumed elsewhere", async () => {
    const { sessions, store, record, other, show } = await uninstalled({ ended: false });
    const intent = { op: "create", step: "open", key: "k", at: record.created_at } as const;
    await store.update(record.id, (current) => ({ ...current, ...LAUNCHING, intent }));
    const refused = {
      code: "TMUX_NOT_FOUND",
      effect: "none",
      hint: expect.stringContaining("A program of session demo may still run on host tmux."),
    };
    await expect(sessions.stop({ session: "demo" })).rejects.toMatchObject(refused);
    expect(await show()).toMatchObject(LAUNCHING);
    await store.update(record.id, (current) => ({ ...current, state: "stopped", intent: null }));
    await expect(sessions.resume({ session: "demo", control: "Pty" })).rejects.toMatchObject(refused);
    expect(await other.driver.list()).toMatchObject({ kind: "absent" });
  });

  test("no longer prevents it once the server has ended", async () => {
    const { sessions, store, record } = await uninstalled({ ended: true });
    const intent = { op: "create", step: "open", key: "k", at: record.created_at } as const;
    await store.update(record.id, (current) => ({ ...current, ...LAUNCHING, intent }));
    expect((await sessions.stop({ session: "demo" })).session.record).toMatchObject({ state: "stopped" });
    expect((await sessions.resume({ session: "demo", control: "Pty" })).record).toMatchObject({ state: "active", control: "Pty" });
  });
});

test("a terminal that its host cannot list prevents a session from being stopped or started, and leaves an interrupted launch unchanged", async () => {
  const { sessions, store, record, unclear, show } = await hostFixture();
  await sessions.restart({ session: "demo", control: "Pty" });
  await sessions.stop({ session: "demo" });
  unclear.ids.push(record.id);
  const intent = { op: "create", step: "open", key: "k", at: record.created_at } as const;
  const launching = { state: "provisioning", pane: null } as const;
  await store.update(record.id, (current) => ({ ...current, ...launching, intent }));
  const refused = { code: "UNRESPONSIVE", effect: "none" };
  await expect(sessions.stop({ session: "demo" })).rejects.toMatchObject(refused);
  await sessions.reconcile({});
  expect(await show()).toMatchObject({ ...launching, intent: { op: "create" } });
  await store.update(record.id, (current) => ({ ...current, state: "stopped", intent: null }));
  await expect(sessions.resume({ session: "demo" })).rejects.toMatchObject(refused);
  unclear.ids.pop();
  expect((await sessions.resume({ session: "demo" })).record).toMatchObject({ state: "active", control: "Pty" });
});

test("is not moved by resume, nor while its program is still running", async () => {
  const { sessions, tmux, show, record, store } = await hostFixture();
  const refused = {
    code: "INVALID_STATE",
    effect: "none",
    hint: "`tmpm restart demo --host pty` ends its program and resumes it there.",
  };
  await expect(sessions.resume({ session: "demo", control: "Pty" })).rejects.toMatchObject(refused);
  await sessions.pause({ session: "demo" });
  await expect(sessions.resume({ session: "demo", control: "Pty" })).rejects.toMatchObject(refused);
  await sessions.resume({ session: "demo", control: "Tmux" });
  expect(await show()).toMatchObject({ paused_at: null });
  await sessions.stop({ session: "demo" });
  await tmux.driver.create({ sessionId: record.id, tmuxName: "left", cwd: "/", argv: ["cat"], env: {}, columns: 80, rows: 24 });
  await expect(sessions.resume({ session: "demo", control: "Pty" })).rejects.toMatchObject({ code: "INVALID_STATE", effect: "none" });
  await store.update(record.id, (current) => ({ ...current, intent: { op: "resume", step: "open", key: "k", at: record.created_at } }));
  await expect(sessions.resume({ session: "demo", control: "Pty" })).rejects.toMatchObject({ code: "INVALID_STATE" });
});
