import type { Decision as Shown } from "@tmpm/agents";
import { tmuxHost } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scriptedProtocol } from "../fixtures/conversation-host.js";
import { CRASH, composer, fixture } from "../fixtures/fixture.js";

const overrides = { fields: ["model"] as const };
const touch: Shown = {
  ...{ kind: "approval", tool: "Bash", subject: "touch it", request: "r1" },
  choices: [
    { label: "Allow", keys: null, takesText: false },
    { label: "Refuse", keys: null, takesText: false },
  ],
};

function hostFixture() {
  const tmux = fakeTmux({ home: "fixture" });
  const agent = scriptedProtocol(tmux.now);
  const l = fixture({
    tmux,
    adapters: [{ ...composer, overrides, protocol: { ...composer, overrides } }],
    ports: { hosts: [tmuxHost({ driver: tmux.driver }), agent.host] },
  });
  return { ...l, agent };
}

describe("a session on a protocol host", () => {
  let each: ReturnType<typeof hostFixture>;
  beforeEach(async () => {
    each = hostFixture();
    each.sessions.start();
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo", control: "Sdk", model: "m1" });
  });
  afterEach(() => each.sessions.close());
  const send = (text: string) => each.sessions.send({ session: "demo", text });
  const show = () => each.sessions.show({ session: "demo" });

  test("starts with its overrides, and gets its conversation id from the agent", async () => {
    expect(each.agent.begun).toEqual([{ conversationId: expect.any(String), overrides: { model: "m1" } }]);
    expect((await show()).record).toMatchObject({ control: "Sdk", state: "active", pane: { pane_id: "%0" } });
    await send("hello");
    await expect.poll(async () => (await show()).record.conversation_id).toBe("talk-1");
    await each.sessions.restart({ session: "demo" });
    expect(each.agent.begun.at(-1)).toMatchObject({ conversationId: "talk-1" });
  });

  test("gets a prompt exactly once, with the protocol's answer as the receipt", async () => {
    const { receipt } = await send("/not a command @here");
    expect(receipt).toMatchObject({
      ...{ outcome: "submitted", reason: "protocol", altered: null },
      evidence: ["session/prompt was accepted"],
    });
    expect(each.agent.prompts).toEqual([{ key: receipt.id, text: "/not a command @here" }]);
    await expect.poll(async () => (await show()).activity).toMatchObject({ state: "working", source: "protocol" });
    each.agent.done();
    await expect.poll(async () => (await show()).activity.state).toBe("idle");
    await expect
      .poll(async () => (await each.sessions.turns({ session: "demo" }))[0])
      .toMatchObject({
        turn: { outcome: "completed", final_message: "done" },
      });
  });

  test("reports that the agent refused, or did not answer", async () => {
    expect((await send("nonsense")).receipt).toMatchObject({ outcome: "refused", evidence: ["it takes no nonsense"] });
    each.agent.fallSilent();
    expect((await send("hello")).receipt).toMatchObject({ outcome: "unconfirmed", reason: "tmux_unanswered" });
  });

  test("queries the host about a prompt left by a dead daemon, and never sends it twice", async () => {
    each.crashAt("send.confirmed");
    await expect(send("hello")).rejects.toBe(CRASH);
    each.crashAt(null);
    const [entry] = await each.sends.pending();
    const next = each.restarted();
    next.start();
    await expect
      .poll(async () => (await next.receipt({ session: "demo", send: entry?.id ?? "" })).receipt)
      .toMatchObject({ outcome: "submitted", reason: "protocol" });
    expect(each.agent.prompts).toHaveLength(1);
    await next.close();
  });

  test("cancels a prompt that was cancelled before its daemon died", async () => {
    each.onStep((step) => {
      if (step === "send.confirmed") void each.sessions.cancel({ session: "demo" }).catch(() => undefined);
    });
    each.crashAt("send.confirmed");
    await expect(send("hello")).rejects.toBe(CRASH);
    each.crashAt(null);
    each.onStep(null);
    await expect.poll(async () => (await each.turnJournal.open()).map(({ cause }) => cause)).toEqual(["client_rpc"]);
    const [entry] = await each.sends.pending();
    const next = each.restarted();
    next.start();
    await expect
      .poll(async () => (await next.turns({ session: "demo" })).find(({ turn }) => turn.id === entry?.id)?.turn)
      .toMatchObject({ outcome: "cancelled", cause: "client_rpc", reason: "interrupted", confirmed: true });
    expect(each.agent.cancelled()).toBe(1);
    expect(each.agent.prompts).toHaveLength(1);
    await next.close();
  });

  test("is interrupted and cancelled through the protocol", async () => {
    await send("hello");
    await expect.poll(async () => (await show()).activity.state).toBe("working");
    expect((await each.sessions.interrupt({ session: "demo" })).outcome).toBe("interrupted");
    expect(each.agent.cancelled()).toBe(1);
  });

  test("permission requests are answered by their id, each once", async () => {
    each.agent.ask(touch);
    await expect.poll(async () => (await show()).decision).toMatchObject({ subject: "touch it", choices: [{ answerable: true }, {}] });
    const id = (await show()).decision?.id ?? "";
    const answered = await each.sessions.answer({ session: "demo", decision_id: id, answer: { kind: "approve" } });
    expect(answered).toMatchObject({ outcome: "answered", answer: "Allow" });
    expect(each.agent.answers).toEqual([{ request: "r1", answer: { kind: "approve" } }]);
    await expect(each.sessions.answer({ session: "demo", decision_id: id, answer: { kind: "approve" } })).rejects.toMatchObject({
      code: "DECISION_GONE",
    });
    each.agent.ask({ ...touch, request: "r2" });
    await expect.poll(async () => (await show()).decision?.id ?? id).not.toBe(id);
  });

  test("overrides apply at once, and some are refused", async () => {
    expect(await each.sessions.override({ session: "demo", model: "m2" })).toMatchObject({ applied: { model: "live" } });
    await expect(each.sessions.override({ session: "demo", model: "none" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect((await show()).record.overrides).toEqual({ model: "m2" });
  });

  test("every verb that needs a terminal is refused without effect", async () => {
    const refused = { code: "HOST_CANNOT", effect: "none", details: { host: "sdk" } };
    await expect(each.sessions.attach({ session: "demo" })).rejects.toMatchObject({ ...refused, hint: "`tmpm send` speaks to it." });
    await expect(each.sessions.keys({ session: "demo", keys: ["Enter"] })).rejects.toMatchObject(refused);
    await expect(each.sessions.terminal({ session: "demo" })).rejects.toMatchObject(refused);
    expect((await each.sessions.rename({ session: "demo", name: "other" })).left_alone).toBeNull();
    expect((await each.sessions.stop({ session: "other" })).session.record.state).toBe("stopped");
  });
});

test("runs on the requested host, else on the first available one, and reports a host other than the default", async () => {
  const missing = { kind: "missing", reason: "tmux is not installed", hint: "Install tmux." } as const;
  const tmux = fakeTmux({ home: "fixture" });
  const usual = tmuxHost({ driver: tmux.driver });
  const pty = { ...usual, control: "Pty", place: "/fake/ptys" } as const;
  const on = (...hosts: readonly (typeof usual | typeof pty)[]) => fixture({ tmux, ports: { hosts } }).sessions;
  const created = await on({ ...usual, available: async () => missing }, pty).create({ agent: "shell", cwd: "/w" });
  expect(created.session.record.control).toBe("Pty");
  expect(created.notes).toEqual(["tmux is not installed, so the session runs on host pty"]);
  expect(await on(usual).create({ agent: "shell", cwd: "/w", id: "00000000-0000-4000-8000-00000000000f" })).toMatchObject({ notes: [] });
  const nowhere = on({ ...usual, available: async () => missing });
  await expect(nowhere.create({ agent: "shell", cwd: "/w" })).rejects.toMatchObject({ code: "HOST_UNAVAILABLE", hint: "Install tmux." });
  await expect(nowhere.create({ agent: "shell", cwd: "/w", control: "Sdk" })).rejects.toMatchObject({ code: "HOST_UNAVAILABLE" });
});
