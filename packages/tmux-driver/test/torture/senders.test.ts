import { expect, test } from "vitest";
import { connected, openControl } from "./control-fixture.js";
import { type RawReader, rawReader } from "./raw-reader.js";
import { SCALE, SEED, seeded } from "./seeded.js";

const PANES = 10;
const SENDERS = 50;
/** Twenty of each sender at full scale. */
const MESSAGES = SCALE < 10 ? SCALE : 2 * SCALE;

test(`${SENDERS} concurrent senders to ${PANES} panes through two drivers do not mix (seed ${SEED})`, {
  timeout: 60_000 + 20_000 * SCALE,
}, async () => {
  const chance = seeded(4);
  const fixture = await openControl();
  const other = fixture.another();
  const readers: RawReader[] = [];
  for (let index = 0; index < PANES; index++) readers.push(await rawReader(fixture, { id: `r${index}` }));
  await connected(fixture);
  // Before the first send: its own client must not connect during a change by the other driver.
  await connected({ driver: other });
  const sent = readers.map((): string[] => []);
  const send = async (sender: number) => {
    for (let message = 0; message < MESSAGES; message++) {
      const at = chance(PANES);
      const text = `<${sender}.${message} ${"é;".repeat(pick(chance))}>\n`;
      sent[at]?.push(text);
      const pane = readers[at]?.pane;
      if (pane !== undefined) await (sender % 2 === 0 ? fixture.driver : other).paste(pane.identity, text);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  for (const [index, reader] of readers.entries()) {
    const texts = sent[index] ?? [];
    await reader.reaches(Buffer.byteLength(texts.join("")));
    const received = (await reader.bytes()).toString().split(/(?<=\n)/);
    expect(received.filter((line) => line !== "").sort()).toEqual([...texts].sort());
  }
  await other.close();
});

/** Short ones in a command, long ones by a file. */
function pick(chance: (below: number) => number): number {
  return chance(4) === 0 ? 20_000 : chance(500);
}
