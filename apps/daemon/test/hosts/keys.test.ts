import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyName } from "@tmpm/core";
import type { HostFixture } from "@tmpm/host/contract";
import { expect, onTestFinished, test } from "vitest";
import { openPtyHost } from "./pty-host.js";
import { openTmuxHost } from "./tmux-host.js";

const NAMED = [
  ..."Enter Escape Tab BTab Space BSpace Up Down Left Right Home End".split(" "),
  ..."IC Insert DC Delete NPage PageDown PgDn PPage PageUp PgUp".split(" "),
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
  ...Array.from({ length: 10 }, (_, index) => `KP${index}`),
  ..."KP/ KP* KP- KP+ KP. KPEnter".split(" "),
];
const CHARACTERS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
const MODIFIERS = ["", "S-", "M-", "M-S-", "C-", "C-S-", "C-M-", "C-M-S-"];

/** Every key that hosts with terminals accept, with a small sample of non-ASCII letters. */
const KEYS = [
  ...NAMED.flatMap((name) => MODIFIERS.map((modifier) => modifier + name)),
  ...CHARACTERS.flatMap((character) => MODIFIERS.map((modifier) => modifier + character)),
  "é",
  "漢",
  "🙂",
].filter((key) => keyName(key) !== null);
/** The sequence that enables a mode, and the keys with another encoding in it: tmux sends a line feed for the keypad's Enter, as described in docs/pty.md. */
const MODES = [
  { asking: "", otherwise: ["KPEnter", "M-KPEnter"] },
  { asking: "\\033[?1h", otherwise: ["KPEnter", "M-KPEnter"] },
  { asking: "\\033=", otherwise: [] },
];
const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "0", TMPM_TEST_HOSTS = "" } = process.env;
const full = Number(TMPM_TEST_SCALE) >= 10 || TMPM_TEST_HOSTS === "all";
/** The mode tested by default. */
const seed = Number(TMPM_TEST_SEED);
/** Separator between two keys. */
const MARK = "§";

/** The bytes that a program reads for each key, as JSON. */
async function bytesOf(fixture: HostFixture, { asking }: { readonly asking: string }): Promise<ReadonlyMap<string, string>> {
  const { host, cwd } = fixture;
  const file = join(cwd, `read-${asking.length}`);
  writeFileSync(file, "");
  const argv = ["/bin/sh", "-c", 'stty raw -echo; printf "$1ready"; exec cat > "$2"', "sh", asking, file] as const;
  const beginning = { conversationId: null, overrides: {} };
  const name = `keys${asking.length}`;
  const { identity } = await host.create({ sessionId: name, tmuxName: name, cwd, argv, env: {}, columns: 80, rows: 24, beginning });
  await expect.poll(async () => (await host.capture(identity)).lines[0]).toContain("ready");
  for (let at = 0; at < KEYS.length; at += 100) {
    await host.keys?.(
      identity,
      KEYS.slice(at, at + 100).flatMap((key) => [key, MARK]),
    );
  }
  const read = () => readFileSync(file, "utf8").split(MARK);
  await expect.poll(() => read().length).toBe(KEYS.length + 1);
  const texts = read();
  return new Map(KEYS.map((key, index) => [key, JSON.stringify(texts[index])]));
}

test("a program reads the same bytes for every key on a PTY as in tmux, in every keyboard mode", { timeout: 300_000 }, async () => {
  const [tmux, pty] = [await openTmuxHost(), await openPtyHost()];
  onTestFinished(async () => {
    await tmux.close();
    await pty.close();
  });
  for (const { asking, otherwise } of full ? MODES : MODES.slice(seed % MODES.length).slice(0, 1)) {
    const [wanted, got] = await Promise.all([bytesOf(tmux, { asking }), bytesOf(pty, { asking })]);
    const differing = KEYS.filter((key) => wanted.get(key) !== got.get(key));
    const described = differing.map((key) => `${key}: tmux ${wanted.get(key)}, PTY ${got.get(key)}`);
    expect(differing, `${asking} ${described.join("\n")}`).toEqual(otherwise);
  }
});
