import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOf, receives, recorder } from "../src/contract/sessions.js";
import { openTmux } from "./tmux-fixture.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const seed = Number(process.env.TMPM_TEST_SEED ?? "1");
/** Text that `parseText` accepts: any Unicode text whose only control characters are TAB and LF, biased towards tmux and shell syntax. */
const text = fc
  .string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(..."; -\\'\"#{}()[]$`%~!&|<>*?=:,.\n\t@^".split("")) },
      { weight: 1, arbitrary: fc.constantFrom("#{pid}", "#(touch x)", "%H", "-R", ";;", "\\;", "é", "漢", "🙂", "e\u0301", "\u202e") },
      { weight: 2, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }) },
    ),
    minLength: 1,
    maxLength: 200,
  })
  .filter((candidate) => !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(candidate));

const CASES = [
  { framed: false, locale: "of the machine", env: process.env },
  { framed: true, locale: "C", env: { PATH: process.env.PATH, LC_ALL: "C" } },
  { framed: true, locale: "of the machine", env: process.env },
  { framed: false, locale: "none", env: { PATH: process.env.PATH } },
];
/** Bracketed and not, with a locale and without, in each run; all combinations at full scale. */
const SOME = scale >= 10 ? CASES : CASES.slice((seed % 2) * 2, (seed % 2) * 2 + 2);

describe.each(SOME)("random texts, framed: $framed, locale: $locale", ({ framed, env }) => {
  test(`arrive byte for byte (seed ${seed})`, { timeout: 60_000 + 20_000 * scale }, async () => {
    const fixture = await openTmux({ env });
    const pane = await recorder(fixture, { id: "one", framed });
    let expected = "";
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        await fixture.driver.paste(pane.identity, value);
        expected += framed ? `\u001b[200~${value}\u001b[201~` : value;
        const received = await receives(fixture, { id: "one", expected });
        expect(received.slice(-value.length - 20)).toBe(expected.slice(-value.length - 20));
      }),
      { numRuns: 10 * scale, seed, endOnFailure: true },
    );
    expect(await fixture.received(idOf(fixture, "one"))).toBe(expected);
  });
});

test("a megabyte arrives byte for byte", async () => {
  const fixture = await openTmux();
  const pane = await recorder(fixture, { id: "one" });
  const value = randomBytes(384 * 1024)
    .toString("hex")
    .replace(/(.{3000})/g, "$1\né;")
    .slice(0, 1_000_000);
  await fixture.driver.paste(pane.identity, value);
  expect((await receives(fixture, { id: "one", expected: value })) === value).toBe(true);
});
