import { parseText } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { connected, openControl } from "./control-fixture.js";
import { forbiddenText, randomText } from "./random-text.js";
import { arriving, rawReader } from "./raw-reader.js";
import { SCALE, SEED, seeded } from "./seeded.js";

/** Ten thousand over both cases at full scale. */
const TEXTS = SCALE < 10 ? 200 * SCALE : 500 * SCALE;
const BATCH = 100;

describe.each([{ framed: false }, { framed: true }])("raw reader, framed: $framed", ({ framed }) => {
  test(`gets ${TEXTS} random texts byte for byte (seed ${SEED})`, { timeout: 30_000 + 30_000 * SCALE }, async () => {
    const chance = seeded(framed ? 1 : 2);
    const fixture = await openControl();
    const reader = await rawReader(fixture, { id: "reader", framed });
    await connected(fixture);
    const arrived: string[] = [];
    let bytes = 0;
    for (let sent = 0; sent < TEXTS; sent += BATCH) {
      const texts = Array.from({ length: BATCH }, () => parseText(randomText(chance)));
      await Promise.all(texts.map((text) => fixture.driver.paste(reader.pane.identity, text)));
      arrived.push(...texts.map((text) => arriving(text, { framed })));
      bytes += texts.reduce((sum, text) => sum + Buffer.byteLength(arriving(text, { framed })), 0);
      await reader.reaches(bytes);
    }
    const received = await reader.bytes();
    const expected = Buffer.from(arrived.join(""));
    const differing = received.findIndex((byte, index) => byte !== expected[index]);
    expect(differing < 0 ? "" : arrived.join("").slice(differing - 40, differing + 40)).toBe("");
    expect(received.equals(expected)).toBe(true);
    expect(fixture.driver.transport).toBe("control");
    expect(await fixture.tmux("list-buffers")).toBe("");
  });

  if (SCALE < 10 && framed !== (SEED % 2 === 0)) return;
  test("gets a megabyte byte for byte, in lines and in one line", { timeout: 60_000 }, async () => {
    const fixture = await openControl();
    const reader = await rawReader(fixture, { id: "reader", framed });
    await connected(fixture);
    const lines = "é漢🙂;'\"#{pid}\\ \t-\n".repeat(40_000);
    const texts = [lines, lines.replaceAll("\n", " ")].map((text) => text.slice(0, 1_000_000));
    for (const text of texts) await fixture.driver.paste(reader.pane.identity, text);
    const expected = Buffer.from(texts.map((text) => arriving(text, { framed })).join(""));
    await reader.reaches(expected.length);
    expect((await reader.bytes()).equals(expected)).toBe(true);
  });
});

test(`forbidden characters are rejected with their position (seed ${SEED})`, () => {
  const chance = seeded(3);
  for (let count = 0; count < 1000 * SCALE; count++) {
    const { text, position } = forbiddenText(chance);
    expect(() => parseText(text), JSON.stringify(text)).toThrow(
      expect.objectContaining({ code: "INVALID_TEXT", details: expect.objectContaining({ position }) }),
    );
  }
});
