import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { composerProgram, lab } from "./lab.js";

describe("send", () => {
  test("to a shell: the text is seen at the prompt, then seen to go into execution", async () => {
    const { sessions, tmux } = lab();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const { receipt } = await sessions.send({ session: "demo", text: "echo it-works" });
    expect(receipt).toMatchObject({ outcome: "submitted", bytes: 13 });
    expect(receipt.evidence).toHaveLength(2);
    expect(tmux.received("tmpm-demo")).toEqual([
      { type: "paste", text: "echo it-works" },
      { type: "keys", keys: ["Enter"] },
    ]);
    expect((await sessions.capture({ session: "demo" })).lines).toContain("it-works");
  });

  test("presses Enter again while the text is seen to wait, and never types it again", async () => {
    const { sessions, tmux } = lab({ programs: { "composer-agent": composerProgram({ lostEnters: 1 }) } });
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    const { receipt } = await sessions.send({ session: "demo", text: "hello" });
    expect(receipt.outcome).toBe("submitted");
    expect(receipt.evidence.join(" ")).toContain("2 times");
    expect(tmux.received("tmpm-demo").map(({ type }) => type)).toEqual(["paste", "keys", "keys"]);
  });

  test("text that no Enter submits is typed_not_submitted", async () => {
    const { sessions } = lab({ programs: { "composer-agent": composerProgram({ lostEnters: 99 }) } });
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    expect((await sessions.send({ session: "demo", text: "hello" })).receipt.outcome).toBe("typed_not_submitted");
  });

  test("text that an agent's input does not show is unconfirmed, and Enter is not pressed", async () => {
    const { sessions, tmux } = lab({ programs: { "composer-agent": composerProgram({ blind: true }) } });
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    expect((await sessions.send({ session: "demo", text: "hello" })).receipt.outcome).toBe("unconfirmed");
    expect(tmux.received("tmpm-demo").map(({ type }) => type)).toEqual(["paste"]);
  });

  test("a dialog refuses the text before anything is typed, and a first prompt is told as refused", async () => {
    const { sessions, tmux } = lab({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    const { receipt, session } = await sessions.create({ agent: "composer", cwd: "/w", name: "demo", prompt: "hello" });
    expect(receipt?.outcome).toBe("refused");
    expect(session).toMatchObject({ activity: { state: "blocked" }, hint: "answer it" });
    await expect(sessions.send({ session: "demo", text: "hello" })).rejects.toMatchObject({
      code: "SESSION_BLOCKED",
      hint: "answer it",
      effect: "none",
    });
    expect(tmux.received("tmpm-demo")).toEqual([]);
  });

  test("text that somebody left in the agent's input is not touched", async () => {
    const { sessions, tmux } = lab();
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    await sessions.keys({ session: "demo", keys: ["a"] });
    await expect(sessions.send({ session: "demo", text: "hello" })).rejects.toMatchObject({
      code: "SESSION_BUSY",
      details: { draft: "a" },
    });
    expect(tmux.received("tmpm-demo")).toEqual([{ type: "keys", keys: ["a"] }]);
  });

  test("waits for a busy shell, and refuses with nothing typed when it stays busy; --now types all the same", async () => {
    const { sessions, tmux } = lab();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await sessions.send({ session: "demo", text: "sleep 5" });
    expect((await sessions.send({ session: "demo", text: "echo after" })).receipt.outcome).toBe("submitted");
    await sessions.send({ session: "demo", text: "sleep 500" });
    const before = tmux.received("tmpm-demo").length;
    await expect(sessions.send({ session: "demo", text: "echo never" })).rejects.toMatchObject({ code: "SESSION_BUSY", effect: "none" });
    expect(tmux.received("tmpm-demo")).toHaveLength(before);
    await sessions.send({ session: "demo", text: "typed ahead", now: true });
    expect(tmux.received("tmpm-demo").length).toBeGreaterThan(before);
  });

  test("two sends at once do not interleave", async () => {
    const { sessions, tmux } = lab();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await Promise.all(["echo a", "echo b"].map((text) => sessions.send({ session: "demo", text })));
    expect(tmux.received("tmpm-demo").map((input) => (input.type === "paste" ? input.text : input.keys.join()))).toEqual([
      "echo a",
      "Enter",
      "echo b",
      "Enter",
    ]);
  });

  test("copy mode, forbidden text, and sessions that do not run are refused", async () => {
    const { sessions, tmux } = lab();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    tmux.setMode("tmpm-demo", true);
    await expect(sessions.send({ session: "demo", text: "x" })).rejects.toMatchObject({ code: "PANE_IN_MODE", effect: "none" });
    tmux.setMode("tmpm-demo", false);
    await expect(sessions.send({ session: "demo", text: "a\u001bb" })).rejects.toMatchObject({ code: "INVALID_TEXT" });
    await sessions.stop({ session: "demo" });
    await expect(sessions.send({ session: "demo", text: "x" })).rejects.toMatchObject({ code: "INVALID_STATE" });
    await expect(sessions.send({ session: "nobody", text: "x" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  });

  test("a paste whose answer is lost says that it may have happened", async () => {
    const { sessions, tmux } = lab();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    tmux.failNext("paste", "unknown");
    await expect(sessions.send({ session: "demo", text: "x" })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "unknown" });
  });

  test("a record that cannot be written after the text was delivered is reported, not blamed on the send", async () => {
    const { sessions, store, faults } = lab();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    store.failNext("update", new TmpmError("STORAGE_FULL", "full"));
    expect((await sessions.send({ session: "demo", text: "echo x" })).receipt.outcome).toBe("submitted");
    expect(faults).toHaveLength(1);
  });

  test("a send and a stop at once leave the session stopped", async () => {
    const { sessions } = lab();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await Promise.allSettled([sessions.send({ session: "demo", text: "echo x" }), sessions.stop({ session: "demo" })]);
    expect((await sessions.show({ session: "demo" })).record.state).toBe("stopped");
  });
});
