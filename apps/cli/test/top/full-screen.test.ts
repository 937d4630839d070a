import { EventEmitter } from "node:events";
import type { ReadStream, WriteStream } from "node:tty";
import { expect, test } from "vitest";
import { fullScreen } from "../../src/top/full-screen.js";

/** A stand-in for a terminal, which records the set encodings. */
function standIn() {
  const encodings: string[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    setRawMode: () => stdin,
    setEncoding: (encoding: string) => encodings.push(encoding),
    pause: () => stdin,
    resume: () => stdin,
  });
  const stdout = Object.assign(new EventEmitter(), { columns: 80, rows: 24, write: () => true });
  return { stdin: stdin as unknown as ReadStream, stdout: stdout as unknown as WriteStream, encodings };
}

test("the terminal's input stays bytes for its next reader, and a character in two parts is one key", () => {
  const { stdin, stdout, encodings } = standIn();
  const heard: string[] = [];
  const screen = fullScreen({ stdin, stdout, onResize: () => undefined });
  screen.start(
    (data) => heard.push(data),
    () => undefined,
  );
  stdin.emit("data", Buffer.of(0x61));
  stdin.emit("data", Buffer.of(0xc3));
  stdin.emit("data", Buffer.of(0xa9));
  screen.stop();
  expect(heard).toEqual(["a", "é"]);
  expect(encodings).toEqual([]);
});
