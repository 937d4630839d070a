import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { terminalType } from "../../src/terminal/terminal-type.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

function described(...types: readonly string[]) {
  const dir = temporaryDir();
  for (const [first, term] of types.map((type) => type.split("/") as [string, string])) {
    mkdirSync(join(dir.path, first), { recursive: true });
    writeFileSync(join(dir.path, first, term), "");
  }
  return dir;
}

test("a terminal type known on this machine is kept, found by its letter or the letter's code", () => {
  using dir = described("x/xterm-ours", "78/xterm-theirs");
  for (const TERM of ["xterm-ours", "xterm-theirs"]) expect(terminalType({ TERM, TERMINFO: dir.path })).toEqual({ term: TERM, note: null });
});

test("an unknown type is replaced by a known one, with how to install it", () => {
  using dir = described("x/xterm-256color");
  const { term, note } = terminalType({ TERM: "xterm-of-tomorrow", TERMINFO: dir.path });
  expect(term).toBe("xterm-256color");
  expect(note).toContain("no description of the terminal type xterm-of-tomorrow");
  expect(note).toContain("infocmp -x xterm-of-tomorrow");
});

test("a name is never read as a path", () => {
  using dir = described("x/xterm-256color");
  expect(terminalType({ TERM: "../x/xterm-256color", TERMINFO: dir.path }).term).toBe("xterm-256color");
});

test("without a type a universal one is used", () => {
  expect(terminalType({})).toEqual({ term: "xterm", note: null });
});
