import { expect, test } from "vitest";
import { inputPieces } from "../src/input-pieces.js";
import { terminalCommands } from "../src/terminal-commands.js";

/** Commands with a clock that the test moves. */
function fixture() {
  let nowMs = 0;
  const sent: string[] = [];
  const commands = terminalCommands({ now: () => nowMs });
  const outcome = (command: Parameters<typeof commands.say>[0]) =>
    commands.say(command).then(
      () => "done",
      (error: { readonly code: string; readonly effect: string }) => `${error.code} ${error.effect}`,
    );
  return {
    commands,
    sent,
    type: (text: string) => outcome({ type: "input", text }),
    resize: () => outcome({ type: "size", columns: 80, rows: 24 }),
    connect: (log: "first" | "same" | "other") => commands.connected((text) => sent.push(text), log),
    done: (id: number) => commands.acknowledged({ type: "ack", id, outcome: "done", error: null }),
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

test("input typed during a short disconnect is sent, and older input is reported as not typed", async () => {
  const { commands, sent, type, resize, connect, done, pass } = fixture();
  connect("first");
  commands.disconnected();
  const [old, size] = [type("rm -r x\r"), resize()];
  pass(10_001);
  const fresh = type("y");
  connect("same");
  expect(await old).toBe("DAEMON_UNREACHABLE none");
  expect(sent.map((text) => JSON.parse(text))).toMatchObject([{ type: "size" }, { type: "input", text: "y" }]);
  done(2);
  done(3);
  expect(await Promise.all([size, fresh])).toEqual(["done", "done"]);
});

test("input sent long before a reconnect is not sent again, and its outcome is unknown", async () => {
  const { commands, sent, type, connect, pass } = fixture();
  connect("first");
  const typed = type("y");
  commands.disconnected();
  pass(10_001);
  connect("same");
  expect(await typed).toBe("UNCONFIRMED unknown");
  expect(sent).toHaveLength(1);
});

test("input typed before the first connection is sent, and input for another daemon's terminal is not", async () => {
  const { commands, sent, type, connect, done } = fixture();
  const first = type("a");
  connect("first");
  done(1);
  expect(await first).toBe("done");
  commands.disconnected();
  const other = type("b");
  connect("other");
  expect(await other).toBe("DAEMON_UNREACHABLE none");
  expect(sent).toHaveLength(1);
});

test("the amount of input that waits for a connection is limited", async () => {
  const { type } = fixture();
  for (let count = 0; count < 1_000; count++) void type("x");
  expect(await type("y")).toBe("DAEMON_UNREACHABLE none");
});

test("a text is split into pieces, never within a character", () => {
  expect(inputPieces("")).toEqual([]);
  expect(inputPieces("abcde", 2)).toEqual(["ab", "cd", "e"]);
  expect(inputPieces("a\u{1f600}\u{1f600}", 2)).toEqual(["a", "\u{1f600}", "\u{1f600}"]);
  const long = "\u{1f600}".repeat(50_000);
  const pieces = inputPieces(`x${long}`);
  expect(pieces.join("")).toBe(`x${long}`);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
});
