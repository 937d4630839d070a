import type { AgentAdapter } from "@tmpm/agents";
import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { composerProgram } from "../fixtures/composer-program.js";
import { composer, fixture } from "../fixtures/fixture.js";

describe("send", () => {
  test("to a shell: the text appears at the prompt, then the shell executes it", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const { receipt } = await sessions.send({ session: "demo", text: "echo it-works" });
    expect(receipt).toMatchObject({ outcome: "submitted", reason: "screen", bytes: 13, altered: null });
    expect(receipt.evidence).toHaveLength(2);
    expect(tmux.received("tmpm-demo")).toEqual([
      { type: "paste", text: "echo it-works" },
      { type: "keys", keys: ["Enter"] },
    ]);
    expect((await sessions.capture({ session: "demo" })).lines).toContain("it-works");
  });

  test("does not wait for the input of a program that shows none", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const startedMs = tmux.now();
    expect((await sessions.send({ session: "demo", text: "echo it-works" })).receipt.outcome).toBe("submitted");
    // In the fake's time: a temporarily hidden input would be awaited for two seconds.
    expect(tmux.now() - startedMs).toBeLessThan(1_000);
  });

  test("presses Enter again while the text is still in the input, and never types it again", async () => {
    const { sessions, tmux } = fixture({ programs: { "composer-agent": composerProgram({ lostEnters: 1 }) } });
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    const { receipt } = await sessions.send({ session: "demo", text: "hello" });
    expect(receipt.outcome).toBe("submitted");
    expect(receipt.evidence.join(" ")).toContain("2 times");
    expect(tmux.received("tmpm-demo").map(({ type }) => type)).toEqual(["paste", "keys", "keys"]);
  });

  test("a text that no Enter submits is typed_not_submitted", async () => {
    const { sessions } = fixture({ programs: { "composer-agent": composerProgram({ lostEnters: 99 }) } });
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    const { receipt } = await sessions.send({ session: "demo", text: "hello" });
    expect(receipt).toMatchObject({
      outcome: "typed_not_submitted",
      reason: "enter_ignored",
      hint: expect.stringContaining("tmpm keys demo Enter"),
    });
  });

  test("a text that does not appear in the agent's input is unconfirmed, and Enter is not pressed", async () => {
    const { sessions, tmux } = fixture({ programs: { "composer-agent": composerProgram({ blind: true }) } });
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    expect((await sessions.send({ session: "demo", text: "hello" })).receipt).toMatchObject({
      outcome: "unconfirmed",
      reason: "not_shown",
    });
    expect(tmux.received("tmpm-demo").map(({ type }) => type)).toEqual(["paste"]);
  });

  test("a dialog holds the text, and refuses it when not answered in time, with nothing typed", async () => {
    const { sessions, tmux } = fixture({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    const { receipt } = await sessions.send({ session: "demo", text: "hello" });
    expect(receipt).toMatchObject({ outcome: "refused", reason: "dialog", hint: "answer it", evidence: ["a dialog"] });
    expect(tmux.received("tmpm-demo")).toEqual([]);
  });

  test("a first prompt behind a dialog is held, and continues automatically once the dialog is answered", async () => {
    const { sessions, tmux, events } = fixture({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    const { receipt, session } = await sessions.create({ agent: "composer", cwd: "/w", name: "demo", prompt: "hello" });
    expect(receipt).toMatchObject({ outcome: "held", reason: "dialog", hint: "answer it" });
    expect(session).toMatchObject({ activity: { state: "blocked" }, hint: "answer it" });
    await sessions.keys({ session: "demo", keys: ["Enter"] });
    const id = receipt?.id ?? "";
    await expect.poll(async () => (await sessions.receipt({ session: "demo", send: id })).receipt.outcome).toBe("submitted");
    expect(tmux.received("tmpm-demo").slice(1)).toEqual([
      { type: "paste", text: "hello" },
      { type: "keys", keys: ["Enter"] },
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "session_text_sent", send_id: id, outcome: "submitted", reason: "screen" }),
    );
    await sessions.close();
  });

  test("does not change a user's draft in the agent's input", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    await sessions.keys({ session: "demo", keys: ["a"] });
    const { receipt } = await sessions.send({ session: "demo", text: "hello" });
    expect(receipt).toMatchObject({ outcome: "refused", reason: "draft", evidence: ['its input holds text: "a"'] });
    expect(tmux.received("tmpm-demo")).toEqual([{ type: "keys", keys: ["a"] }]);
  });

  test("waits for a busy shell, and refuses with nothing typed when it stays busy; --now types anyway", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await sessions.send({ session: "demo", text: "sleep 5" });
    expect((await sessions.send({ session: "demo", text: "echo after" })).receipt.outcome).toBe("submitted");
    await sessions.send({ session: "demo", text: "sleep 500" });
    const before = tmux.received("tmpm-demo").length;
    expect((await sessions.send({ session: "demo", text: "echo never" })).receipt).toMatchObject({ outcome: "refused", reason: "working" });
    expect(tmux.received("tmpm-demo")).toHaveLength(before);
    await sessions.send({ session: "demo", text: "typed ahead", now: true });
    expect(tmux.received("tmpm-demo").length).toBeGreaterThan(before);
  });

  test("two simultaneous sends do not interleave", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await Promise.all(["echo a", "echo b"].map((text) => sessions.send({ session: "demo", text })));
    expect(tmux.received("tmpm-demo").map((input) => (input.type === "paste" ? input.text : input.keys.join()))).toEqual([
      "echo a",
      "Enter",
      "echo b",
      "Enter",
    ]);
  });

  test("copy mode, forbidden text, and inactive sessions are refused", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    tmux.setMode("tmpm-demo", true);
    expect((await sessions.send({ session: "demo", text: "x" })).receipt).toMatchObject({ outcome: "refused", reason: "copy_mode" });
    const now = await sessions.send({ session: "demo", text: "x", now: true });
    expect(now.receipt).toMatchObject({ outcome: "refused", reason: "copy_mode" });
    tmux.setMode("tmpm-demo", false);
    await expect(sessions.send({ session: "demo", text: "a\u001bb" })).rejects.toMatchObject({ code: "INVALID_TEXT" });
    await sessions.stop({ session: "demo" });
    await expect(sessions.send({ session: "demo", text: "x" })).rejects.toMatchObject({ code: "INVALID_STATE" });
    await expect(sessions.send({ session: "nobody", text: "x" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  });

  test("a paste with a lost answer is searched on the screen, and Enter is pressed only if it shows", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    tmux.failNext("paste", "unknown");
    const { receipt } = await sessions.send({ session: "demo", text: "x" });
    expect(receipt).toMatchObject({ outcome: "submitted", reason: "screen" });
    expect(tmux.received("tmpm-demo")).toEqual([
      { type: "paste", text: "x" },
      { type: "keys", keys: ["Enter"] },
    ]);
    tmux.failNext("paste", new TmpmError("TMUX_UNRESPONSIVE", "no answer", { effect: "unknown" }));
    const lost = await sessions.send({ session: "demo", text: "y" });
    expect(lost.receipt).toMatchObject({ outcome: "unconfirmed", reason: "tmux_unanswered" });
    expect(tmux.received("tmpm-demo")).toHaveLength(2);
  });

  test("a tmux that does not answer before anything is typed is an error without effect", async () => {
    const { sessions, tmux, events } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    tmux.failNext("capture", "unknown");
    await expect(sessions.send({ session: "demo", text: "x" })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "none" });
    expect(events).toContainEqual(expect.objectContaining({ type: "session_text_sent", outcome: "refused", reason: "tmux_unanswered" }));
  });

  test("an unwritable record after delivery is reported, not counted as a failed send", async () => {
    const { sessions, store, faults } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    store.failNext("update", new TmpmError("STORAGE_FULL", "full"));
    expect((await sessions.send({ session: "demo", text: "echo x" })).receipt.outcome).toBe("submitted");
    expect(faults).toHaveLength(1);
  });

  test("a simultaneous send and stop leave the session stopped", async () => {
    const { sessions } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await Promise.allSettled([sessions.send({ session: "demo", text: "echo x" }), sessions.stop({ session: "demo" })]);
    expect((await sessions.show({ session: "demo" })).record.state).toBe("stopped");
  });
});

test("a long text waits until a freshly launched agent shows every sign of being ready", async () => {
  let confidence = 0.6;
  const unsure: AgentAdapter = { ...composer, id: "unsure", read: (screen) => ({ ...composer.read(screen), confidence }) };
  const { sessions, tmux } = fixture({ adapters: [unsure] });
  await sessions.create({ agent: "unsure", cwd: "/w", name: "demo" });
  const text = "word ".repeat(1_000);
  expect((await sessions.send({ session: "demo", text, timeout_ms: 1_000 })).receipt).toMatchObject({
    outcome: "refused",
    reason: "starting",
  });
  expect((await sessions.send({ session: "demo", text: "short" })).receipt.outcome).toBe("submitted");
  confidence = 0.9;
  // Its input shows one row: this test only needs the text to be typed.
  await sessions.send({ session: "demo", text });
  const pasted = tmux.received("tmpm-demo").flatMap((input) => (input.type === "paste" ? [input.text] : []));
  expect(pasted).toEqual(["short", text]);
});
