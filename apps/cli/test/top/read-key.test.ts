import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KEYS } from "../../src/top/keys.js";
import { readKey } from "../../src/top/read-key.js";

const list = { mode: { kind: "list" } } as const;

test.each([
  ["\u001b[A", "up"],
  ["\u001bOB", "down"],
  ["\r", "attach"],
  ["\u0003", "quit"],
  ["\u001a", "suspend"],
  ["G", "last"],
  ["?", "help"],
  ["\t", "view"],
  ["\u001b", "clear"],
])("%j is a command", (data, command) => {
  expect(readKey(data, list)).toEqual({ kind: "command", command });
});

test("in a question a key is an answer and not a command", () => {
  expect(readKey("q", { mode: { kind: "stop", session: { id: "a", name: "a", node: null } } })).toEqual({ kind: "key", key: "q" });
});

test("the mouse is read in its SGR form, from 1 to 0", () => {
  expect(readKey("\u001b[<0;10;5M", list)).toEqual({ kind: "pointed", pointed: { kind: "press", row: 4, column: 9 } });
  expect(readKey("\u001b[<65;1;1M", list)).toEqual({ kind: "pointed", pointed: { kind: "wheel_down", row: 0, column: 0 } });
  for (const other of ["\u001b[<0;10;5m", "\u001b[<2;10;5M", "\u001b[<32;1;1M"]) expect(readKey(other, list)).toBe(null);
});

test("a paste is not a sequence of commands", () => {
  expect(readKey("\u001b[200~q\u001b[201~", list)).toBe(null);
});

test("the dashboard's documentation has the same table of keys", () => {
  const page = readFileSync(new URL("../../../../docs/top.md", import.meta.url), "utf8");
  const table = page.split("\n").filter((line) => line.startsWith("| `") && !line.startsWith("| `1-9`"));
  expect(table).toEqual(KEYS.map(({ label, help }) => `| \`${label}\` | ${help} |`));
});
