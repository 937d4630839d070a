import fc from "fast-check";
import { expect, test } from "vitest";
import { lazyScreen } from "../src/held/lazy-screen.js";
import { type RenderedScreen, renderedScreen } from "../src/held/rendered-screen.js";
import { withoutScrolledAway } from "../src/held/scrolled-away.js";

const SIZE = { columns: 40, rows: 6 };
const SCROLLBACK = 5_000;

/** The lazy screen, with a count of the bytes that it rendered. */
function counting() {
  const screen = renderedScreen({ ...SIZE, answer: () => undefined });
  let rendered = 0;
  const write = (bytes: Uint8Array) => {
    rendered += bytes.length;
    screen.write(bytes);
  };
  const lazy = lazyScreen({ ...screen, write }, { now: () => 0, later: () => undefined });
  // The first bytes are rendered at once, and later ones wait.
  lazy.write(Buffer.from("$ "));
  return { lazy, rendered: () => rendered };
}

function plain(): RenderedScreen {
  const screen = renderedScreen({ ...SIZE, answer: () => undefined });
  screen.write(Buffer.from("$ "));
  return screen;
}

function same(lazy: RenderedScreen, screen: RenderedScreen): void {
  expect(lazy.facts(SCROLLBACK)).toEqual(screen.facts(SCROLLBACK));
  expect(lazy.paint()).toEqual(screen.paint());
}

test("omits the lines that scrolled away, whatever they print", () => {
  const { lazy, rendered } = counting();
  const screen = plain();
  const block = Buffer.from(`\u001b[1;32mok\u001b[K \u001b[0m${"words and wörter 字 ".repeat(6)}\ttab\u0008\u001b[33mnext\r\n`.repeat(30));
  for (let written = 0; written < 3_000_000; written += block.length) {
    for (const each of [lazy, screen]) each.write(block);
  }
  for (const each of [lazy, screen]) each.write(Buffer.from("and the end"));
  same(lazy, screen);
  expect(rendered()).toBeLessThan(1_500_000);
});

const style = fc.constantFrom("\u001b[31m", "\u001b[0m", "\u001b[m", "\u001b[1;4:3m", "\u001b[7m", "\u001b[48;5;3m");
const text = fc.constantFrom("a line of text", "\u001b[K", "ü字😀", "\t", "\u0008\u0008", "\r");
const unsafe = fc.constantFrom(
  "\u001b[2;4r",
  "\u001b[?1049h",
  "\u001b[?1049l",
  "\u001b[H",
  "\u001b[2J",
  "\u001b]0;title\u0007",
  "\u001b]0;no end",
  "\u001b[",
  "\u001b[3",
  "\u001b(0",
  "\u009b2A",
  "\u00c2",
  "\u001b[?7l",
  "\u001b[4h",
  "\u000e",
  "\n",
  "\u001b[5S",
  "\u001bM",
);
const line = fc.array(fc.oneof({ weight: 4, arbitrary: text }, style), { maxLength: 3 });
const part = fc.record({
  /** Rendered before the rest is written. */
  first: fc.array(fc.oneof(style, unsafe), { maxLength: 2 }),
  styles: fc.array(style, { maxLength: 3 }),
  /** Breaks the sequence of lines. */
  broken: fc.option(unsafe, { freq: 2 }),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  end: fc.constantFrom("\r\n", "\r\n", "\r\n", "\n"),
});

/** Enough lines to fill screen and scrollback, and to be worth a search. */
const MANY = SCROLLBACK + 3 * SIZE.rows;

test("gives the same screen as rendering every byte", () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 2 }), fc.integer({ min: 1_000, max: 90_000 }), (parts, chunk) => {
      const { lazy } = counting();
      const screen = plain();
      for (const { first, styles, broken, lines, end } of parts) {
        for (const each of [lazy, screen]) each.write(Buffer.from(first.join("")));
        expect(lazy.facts(0)).toEqual(screen.facts(0));
        const all = lines
          .map((words) => `${"x".repeat(110)}${words.join("")}${end}`)
          .join("")
          .repeat(Math.ceil(MANY / lines.length));
        const bytes = Buffer.from(`${styles.join("")}${all.slice(0, 2_000)}${broken ?? ""}${all}`);
        for (let from = 0; from < bytes.length; from += chunk) {
          for (const each of [lazy, screen]) each.write(bytes.subarray(from, from + chunk));
        }
      }
      same(lazy, screen);
    }),
    { seed: Number(process.env.TMPM_TEST_SEED ?? "1"), numRuns: Math.ceil(20 * Number(process.env.TMPM_TEST_SCALE ?? 1)) },
  );
});

/** More lines than screen and scrollback keep. */
const FLOOD = "12\r\n".repeat(150_000);

test.each([
  ["keeps a line below the scroll region", "\u001b[1;3r\u001b[6H", `${"x".repeat(39)}\r\n`],
  ["completes a sequence with what follows", "\u001b[3", "1mred"],
  ["scrolls the alternate screen", "shell\r\n\u001b[?1049h", "first\r\n"],
  ["keeps the charset", "\u001b(0", "first\r\n"],
])("%s", (_, first, next) => {
  const { lazy } = counting();
  const screen = plain();
  for (const each of [lazy, screen]) each.write(Buffer.from(first));
  expect(lazy.facts(0)).toEqual(screen.facts(0));
  for (const each of [lazy, screen]) each.write(Buffer.from(next + FLOOD));
  same(lazy, screen);
});

const LINES = "one\r\ntwo\r\nthree\r\nfour\r\n";

test.each([
  ["keeps the last lines", LINES, "\r\nthree\r\nfour\r\n"],
  [
    "keeps the styles in effect",
    `\u001b[1m\u001b[0m\u001b[31m\u001b[4m\u001b[K${LINES}`,
    "\u001b[0m\u001b[31m\u001b[4m\r\nthree\r\nfour\r\n",
  ],
  ["keeps later bytes of any kind", `${LINES}\u001b[Hrest`, "\r\nthree\r\nfour\r\n\u001b[Hrest"],
  ["keeps everything from the first movement of the cursor", `one\u001b[H${LINES}`, null],
  ["keeps everything from an unfinished sequence", `one\u001b[3${LINES}`, null],
  ["keeps everything from a control character", `one\u009b2A${LINES}`, null],
  ["keeps lines that do not begin in the first column", LINES.replaceAll("\r", ""), null],
  ["keeps too few lines", "two\r\nthree\r\n", null],
])("%s", (_, text, expected) => {
  const bytes = Buffer.from(text);
  const byTwo = Array.from({ length: Math.ceil(bytes.length / 2) }, (_, index) => bytes.subarray(2 * index, 2 * index + 2));
  for (const chunks of [[bytes], byTwo]) {
    const kept = withoutScrolledAway(chunks, 2);
    expect(kept === null ? null : Buffer.concat(kept).toString()).toBe(expected);
  }
});
