import * as fc from "fast-check";
import { randomPrompts } from "./random-prompts.js";
import { prose, TEXT_KINDS } from "./text-kinds.js";

/** The agent's state when the text is sent: it waits, works, has just been launched, or is launched with the text. */
export type Moment = "idle" | "working" | "starting" | "first";

export interface HostileText {
  /** Its index among the texts of its seed. */
  readonly number: number;
  readonly kind: string;
  readonly text: string;
  readonly moment: Moment;
}

export interface Choice {
  readonly count: number;
  readonly seed: number;
}

type Unplaced = Pick<HostileText, "kind" | "text">;

const SIZES = [3_000, 60_000, 8_000, 20_000, 200_000, 1_000_000];

/** The same choice gives the same texts: each kind in turn, combinations of kinds, realistic prompts, and sizes. */
export function hostileTexts({ count, seed }: Choice): readonly HostileText[] {
  const sizes = SIZES.slice(0, Math.ceil(count / 40)).map((bytes) => ({ kind: "size", text: prose(bytes) }));
  const pure = eachKindInTurn().slice(0, Math.max(Object.keys(TEXT_KINDS).length, Math.ceil(count * 0.7)));
  const left = Math.max(0, count - sizes.length - pure.length);
  const written = randomPrompts({ count: Math.ceil(left / 3), seed }).map((text) => ({ kind: "written", text }));
  const combined = fc.sample(combination, { numRuns: left, seed });
  const texts = [...sizes, ...pure, ...written, ...combined].slice(0, count);
  const order = fc.sample(fc.shuffledSubarray(texts, { minLength: texts.length }), { numRuns: 1, seed })[0] ?? [];
  const moments = fc.sample(anyMoment, { numRuns: count, seed });
  return order.map((each, number) => ({ ...each, number, moment: moments[number] ?? "idle" }));
}

const anyMoment = fc.constantFrom<Moment>("idle", "idle", "idle", "idle", "idle", "working", "working", "starting", "first");

const SHORT = 200;
const pieces: readonly Unplaced[] = Object.entries(TEXT_KINDS).flatMap(([kind, texts]) =>
  texts.filter(({ length }) => length <= SHORT).map((text) => ({ kind, text })),
);

const combination = fc
  .tuple(fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 4 }), fc.constantFrom(" ", " ", "\n", ""))
  .map(
    ([parts, between]): Unplaced => ({ kind: parts.map(({ kind }) => kind).join("+"), text: parts.map(({ text }) => text).join(between) }),
  );

function eachKindInTurn(): readonly Unplaced[] {
  const kinds = Object.entries<readonly string[]>(TEXT_KINDS);
  const longest = Math.max(...kinds.map(([, texts]) => texts.length));
  return Array.from({ length: longest }, (_, turn) => turn).flatMap((turn) =>
    kinds.flatMap(([kind, texts]) => texts.slice(turn, turn + 1).map((text) => ({ kind, text }))),
  );
}
