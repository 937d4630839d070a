import { expect } from "vitest";
import { eventually, promptsOf, type TerminalCase } from "./terminal-fixture.js";

const TYPED = ["hello", "\r"];
const hello = { session: "demo", text: "hello" };

/** The outcome of a text that is sent to a terminal. */
export const DELIVERY_CASES: readonly TerminalCase[] = [
  {
    title: "a text to a shell appears at its prompt, then the shell executes it",
    async run({ fixture }) {
      await fixture.sessions.create({ agent: "shell", cwd: fixture.folder, name: "demo" });
      await fixture.sessions.wait({ session: "demo", until: "idle", timeout_ms: 30_000 });
      const { receipt } = await fixture.sessions.send({ session: "demo", text: "echo it-works" });
      expect(receipt).toMatchObject({ outcome: "submitted", reason: "screen", bytes: 13, altered: null });
      expect(receipt.evidence).toHaveLength(2);
      await eventually(async () => (await fixture.sessions.capture({ session: "demo" })).lines).toContain("it-works");
    },
  },
  {
    title: "presses Enter again while the text is still in the input, and never types it again",
    settings: { confirmMs: 6_000 },
    async run({ fixture, compose, received }) {
      await compose({ lostEnters: 1 });
      const { receipt } = await fixture.sessions.send(hello);
      expect([receipt.outcome, receipt.evidence.join(" ")]).toEqual(["submitted", expect.stringMatching(/[23] times/)]);
      expect((await received()).slice(0, 3)).toEqual([...TYPED, "\r"]);
      expect(promptsOf(await received())).toEqual(["hello"]);
    },
  },
  {
    title: "a text that no Enter submits is typed_not_submitted",
    settings: { confirmMs: 5_000 },
    async run({ fixture, compose }) {
      await compose({ lostEnters: 99 });
      expect((await fixture.sessions.send(hello)).receipt).toMatchObject({ outcome: "typed_not_submitted", reason: "enter_ignored" });
    },
  },
  {
    title: "a text that does not appear in the agent's input is unconfirmed, and Enter is not pressed",
    settings: { confirmMs: 1_000 },
    async run({ fixture, compose, received }) {
      await compose({ blind: true });
      expect((await fixture.sessions.send(hello)).receipt).toMatchObject({ outcome: "unconfirmed", reason: "not_shown" });
      await eventually(received).toEqual(["hello"]);
    },
  },
  {
    title: "a dialog holds a text, refuses it at the timeout, and releases a waiting one once answered",
    async run({ fixture, compose, received }) {
      await compose({ dialog: true });
      expect((await fixture.sessions.send({ ...hello, timeout_ms: 1_000 })).receipt).toMatchObject({
        outcome: "refused",
        reason: "dialog",
      });
      expect(await received()).toEqual([]);
      const { receipt } = await fixture.sessions.send({ ...hello, queue: true });
      expect(receipt).toMatchObject({ outcome: "held", reason: "dialog", hint: "answer it" });
      await fixture.sessions.keys({ session: "demo", keys: ["Enter"] });
      const now = async () => (await fixture.sessions.receipt({ session: "demo", send: receipt.id ?? "" })).receipt.outcome;
      await eventually(now).toBe("submitted");
      expect(await received()).toEqual(["\r", ...TYPED]);
    },
  },
  {
    title: "does not change a user's draft in the agent's input",
    async run({ fixture, compose, received }) {
      await compose();
      await fixture.sessions.keys({ session: "demo", keys: ["a"] });
      await eventually(async () => (await fixture.sessions.capture({ session: "demo" })).lines).toContain("> a");
      const { receipt } = await fixture.sessions.send({ ...hello, timeout_ms: 1_000 });
      expect(receipt).toMatchObject({ outcome: "refused", reason: "draft", evidence: ['its input holds text: "a"'] });
      expect(await received()).toEqual(["a"]);
    },
  },
  {
    title: "a key always returns the same receipt, and never prompts twice",
    async run({ fixture, compose, received }) {
      await compose();
      const keyed = { ...hello, idempotency_key: "k" };
      const all = await Promise.all(Array.from({ length: 3 }, () => fixture.sessions.send(keyed)));
      const later = await fixture.sessions.send(keyed);
      expect(new Set([...all, later].map(({ receipt }) => receipt.id)).size).toBe(1);
      expect(later.receipt.outcome).toBe("submitted");
      expect(await received()).toEqual(TYPED);
    },
  },
  {
    title: "manual terminal input keeps its order, and waits behind a text being sent",
    async run({ fixture, compose, received }) {
      await compose();
      const terminal = await fixture.sessions.terminal({ session: "demo" });
      const sending = fixture.sessions.send(hello);
      await eventually(async () => (await received()).length).toBeGreaterThan(0);
      await Promise.all([sending, terminal.type({ text: "x" }), terminal.type({ paste: "yé" }), terminal.type({ keys: ["C-c"] })]);
      await eventually(received).toEqual([...TYPED, "xyé", "\u0003"]);
    },
  },
  {
    title: "a wait for a state ends with it, and reports the actual state at the timeout",
    async run({ fixture, compose, turner }) {
      await compose({ dialog: true });
      const failing = fixture.sessions.wait({ session: "demo", until: ["idle", "errored"], timeout_ms: 500 });
      await expect(failing).rejects.toMatchObject({
        code: "TIMEOUT",
        hint: "answer it",
        message: expect.stringMatching(/demo has been blocked/),
      });
      const idle = fixture.sessions.wait({ session: "demo", until: "idle", timeout_ms: 30_000 });
      await fixture.sessions.keys({ session: "demo", keys: ["Enter"] });
      expect((await idle).activity.state).toBe("idle");
      await turner("other");
      const working = fixture.sessions.wait({ session: "other", until: "working", timeout_ms: 30_000 });
      await fixture.sessions.send({ session: "other", text: "for ever" });
      expect((await working).activity.state).toBe("working");
      const exited = fixture.sessions.wait({ session: "other", until: "exited", timeout_ms: 30_000 });
      await fixture.sessions.stop({ session: "other" });
      expect((await exited).activity.state).toBe("exited");
    },
  },
];
