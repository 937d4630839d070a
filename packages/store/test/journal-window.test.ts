import { expect, test } from "vitest";
import { entriesIn, entriesOf, lineOf } from "../src/events/journal-lines.js";

const FIRST = 11;
const NEXT = 31;
const NUMBERS = { first: FIRST, next: NEXT };

function lines(): Buffer[] {
  return Array.from({ length: NEXT - FIRST }, (_, index) =>
    lineOf({
      seq: FIRST + index,
      type: "session_unpaused",
      at: "2026-01-02T03:04:05Z",
      session_id: "550e8400-e29b-41d4-a716-446655440000",
    }),
  );
}

test("a window of an intact file equals that part of the whole", () => {
  const bytes = Buffer.concat(lines());
  const all = entriesOf(bytes, NUMBERS);
  for (let from = FIRST - 2; from <= NEXT + 1; from++) {
    for (const limit of [1, 3, 100]) {
      const wanted = all.filter(({ seq }) => seq >= from && seq < from + limit);
      expect(entriesIn(bytes, NUMBERS, { from, limit })).toEqual(wanted);
    }
  }
});

test("a file with missing, extra or torn lines, or an unexpected number, is read as a whole", () => {
  const sound = lines();
  const window = { from: 15, limit: 3 };
  expect(entriesIn(Buffer.concat(sound.slice(1)), NUMBERS, window)).toBeNull();
  expect(entriesIn(Buffer.concat([...sound, sound[0] ?? Buffer.alloc(0)]), NUMBERS, window)).toBeNull();
  expect(entriesIn(Buffer.concat(sound).subarray(0, -5), NUMBERS, window)).toBeNull();
  const wrong = sound.map((line, index) => (index === 5 ? Buffer.from("damaged\n") : line));
  expect(entriesIn(Buffer.concat(wrong), NUMBERS, window)).toBeNull();
  expect(entriesIn(Buffer.concat(wrong), NUMBERS, { from: 20, limit: 3 })).toHaveLength(3);
});
