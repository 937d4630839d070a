import { TmpmError } from "@tmpm/core";
import type { SessionStore } from "@tmpm/store";
import { memoryStore } from "@tmpm/store/memory";
import { describe, expect, test } from "vitest";
import { terminalKeys } from "../../src/terminal-keys.js";
import { fixture } from "../fixtures/fixture.js";

describe("input of a terminal emulator", () => {
  test.each([
    ["ls\r", ["l", "s", "Enter"]],
    ["\u001b[A", ["Escape", "[", "A"]],
    ["\u0003\u0000\u001c\u001d\u001e\u001f\u0008\u007f\t\n", ["C-c", "C-@", "C-\\", "C-]", "C-^", "C-_", "C-h", "BSpace", "Tab", "C-j"]],
    ["é ;😀", ["é", "Space", ";", "😀"]],
  ])("is sent as keys: %j", (text, keys) => {
    expect(terminalKeys(text)).toEqual([{ kind: "keys", keys }]);
  });

  test("without a key is pasted in its place, and bytes that no terminal sends are refused", () => {
    expect(terminalKeys("a\u0301b")).toEqual([
      { kind: "keys", keys: ["a"] },
      { kind: "paste", text: "\u0301" },
      { kind: "keys", keys: ["b"] },
    ]);
    for (const text of ["\u009b1m", "\ud800"]) expect(() => terminalKeys(text)).toThrow("no key");
  });
});

describe("terminal of a session", () => {
  test("takes text, keys and pastes in order, in the session's queue, and only while it belongs to the session", async () => {
    const { sessions, tmux, onStep } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const terminal = await sessions.terminal({ session: "demo" });
    const typed: Promise<void>[] = [];
    onStep((step) => {
      if (step !== "send.pasted") return;
      typed.push(terminal.type({ text: "x\r" }), terminal.type({ keys: ["C-u"] }), terminal.type({ paste: "two\nlines" }));
    });
    await sessions.send({ session: "demo", text: "echo sent" });
    await Promise.all(typed);
    const received = tmux.received("tmpm-demo").map((input) => (input.type === "paste" ? input.text : input.keys.join(" ")));
    expect(received).toEqual(["echo sent", "Enter", "x Enter", "C-u", "two\nlines"]);
    await expect(terminal.type({ paste: "\u001b[201~" })).rejects.toMatchObject({ code: "INVALID_TEXT" });
    await sessions.restart({ session: "demo" });
    await expect(terminal.type({ text: "y" })).rejects.toMatchObject({ code: "PANE_GONE" });
    expect(await terminal.fate()).toBe("restarted");
    await sessions.stop({ session: "demo" });
    await expect(terminal.type({ text: "y" })).rejects.toMatchObject({ code: "INVALID_STATE" });
    expect(await terminal.fate()).toBe("ended");
    await expect(sessions.terminal({ session: "demo" })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  test("reports a failure after the first part of an input with its hint, and as one that may have had an effect", async () => {
    const refused = new TmpmError("RESOURCE_EXHAUSTED", "too much is pending", {
      hint: "Wait until the program reads.",
      details: { bytes: 1 },
    });
    const { sessions } = fixture({ lens: (driver) => ({ ...driver, paste: () => Promise.reject(refused) }) });
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const terminal = await sessions.terminal({ session: "demo" });
    const { code, message, hint, details } = refused;
    await expect(terminal.type({ text: "a\u0301" })).rejects.toMatchObject({ code, message, hint, details, effect: "unknown" });
    await expect(terminal.type({ text: "\u0301" })).rejects.toBe(refused);
  });

  test("reads only its own record for a key", async () => {
    const store = memoryStore();
    const searches: string[] = [];
    const find: SessionStore["find"] = (text, filter) => {
      searches.push(text);
      return store.find(text, filter);
    };
    const { sessions, tmux } = fixture({ store: { ...store, find } });
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const terminal = await sessions.terminal({ session: "demo" });
    searches.splice(0);
    for (const text of ["l", "s"]) await terminal.type({ text });
    expect(tmux.received("tmpm-demo")).toHaveLength(2);
    expect(searches).toEqual([]);
  });

  test("is resized while no client is attached", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const terminal = await sessions.terminal({ session: "demo" });
    await terminal.resize({ columns: 90, rows: 20 });
    expect(await terminal.size()).toEqual({ columns: 90, rows: 20, viewers: 0 });
    const detach = tmux.attachViewer("tmpm-demo");
    await expect(terminal.resize({ columns: 91, rows: 21 })).rejects.toMatchObject({ code: "INVALID_STATE" });
    await terminal.resize(null);
    detach();
    expect(await terminal.size()).toEqual({ columns: 90, rows: 20, viewers: 0 });
  });
});
