import { EventEmitter } from "node:events";
import type { Terminal, TerminalEvent } from "@tmpm/api/client";
import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { streamAttach } from "../../src/fleet/stream-attach.js";

/** A stream that shows nothing until it is closed. */
function silent(changes: Partial<Terminal> = {}) {
  const typed: string[] = [];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const terminal: Terminal = {
    type: async (text) => void typed.push(text),
    keys: async () => undefined,
    paste: async () => undefined,
    resize: async () => undefined,
    release: async () => undefined,
    reconnectIfSilent: () => undefined,
    close: end,
    [Symbol.asyncIterator]: () => ({
      next: async (): Promise<IteratorResult<TerminalEvent>> => {
        await ended;
        return { done: true, value: undefined };
      },
    }),
    ...changes,
  };
  return { terminal, typed };
}

function ownTerminal() {
  const done: string[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode(raw: boolean) {
      done.push(`raw ${raw}`);
      return stdin;
    },
    pause: () => stdin,
    resume: () => stdin,
  });
  const stdout = Object.assign(new EventEmitter(), { columns: 80, rows: 24, write: (text: string) => done.push(text) > 0 });
  const listeners = () => stdin.eventNames().length + stdout.eventNames().length;
  return { stdin: stdin as never, stdout: stdout as never, keys: stdin as EventEmitter, done, listeners };
}

test("typed text goes to the session, and Ctrl-\\ twice detaches and restores the terminal", async () => {
  const { terminal, typed } = silent();
  const { stdin, stdout, keys, done, listeners } = ownTerminal();
  const status = streamAttach(terminal, { name: "build1:demo", readOnly: false, takeOver: false, stdin, stdout });
  keys.emit("data", Buffer.from("é"));
  keys.emit("data", Buffer.of(0x1c, 0x1c));
  expect(await status).toBe(0);
  expect(typed).toEqual(["é"]);
  expect([done.at(-2), done.at(-1)]).toEqual(["raw false", expect.stringContaining("[detached from build1:demo]")]);
  expect(listeners()).toBe(0);
});

test("text that was lost with a connection does not end the attachment", async () => {
  const lost = new TmpmError("UNCONFIRMED", "the stream ended before this was acknowledged", { effect: "unknown" });
  let fails = true;
  const { terminal, typed } = silent({
    type: async (text) => {
      if (fails) throw lost;
      typed.push(text);
    },
  });
  const { stdin, stdout, keys, done } = ownTerminal();
  const status = streamAttach(terminal, { name: "build1:demo", readOnly: false, takeOver: false, stdin, stdout });
  keys.emit("data", Buffer.from("x"));
  await new Promise(setImmediate);
  fails = false;
  keys.emit("data", Buffer.from("y"));
  keys.emit("data", Buffer.of(0x1c, 0x1c));
  expect(await status).toBe(0);
  expect(typed).toEqual(["y"]);
  expect(done.at(-1)).toContain("[detached from build1:demo]");
});

test.each(["data", "resize"])("an error at %s restores the terminal and is reported", async (event) => {
  let fails = false;
  const failing = (): Promise<void> => {
    if (fails) throw new Error("a bug");
    return Promise.resolve();
  };
  const { terminal } = silent({ type: failing, resize: failing });
  const { stdin, stdout, keys, done, listeners } = ownTerminal();
  const status = streamAttach(terminal, { name: "build1:demo", readOnly: false, takeOver: false, stdin, stdout });
  fails = true;
  if (event === "data") keys.emit("data", Buffer.from("x"));
  else (stdout as EventEmitter).emit("resize");
  await expect(status).rejects.toThrow("a bug");
  expect([done.at(-2), done.at(-1)]).toEqual(["raw false", expect.stringContaining("[it failed]")]);
  expect(listeners()).toBe(0);
});
