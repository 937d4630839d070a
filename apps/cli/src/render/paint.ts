export type Tone = "red" | "yellow" | "green" | "cyan" | "plain" | "faint";

/** A span of a line and its style. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
}

export type Line = readonly Span[];

const CODES: Record<Tone, number | null> = { red: 31, yellow: 33, green: 32, cyan: 36, plain: null, faint: 2 };

export interface Painting {
  /** Without it, only bold and reverse are used. */
  readonly colour: boolean;
  readonly reversed?: boolean;
}

/** The bytes of a line. Spans contain printable text only, so all control sequences come from here. */
export function paint(line: Line, { colour, reversed = false }: Painting): string {
  const frame = reversed ? "7" : null;
  return line.map((span) => painted(span, [frame, span.bold === true ? "1" : null, colour ? code(span.tone) : null])).join("");
}

function painted({ text }: Span, codes: readonly (string | null)[]): string {
  const set = codes.filter((each) => each !== null);
  return set.length === 0 || text === "" ? text : `\u001b[${set.join(";")}m${text}\u001b[0m`;
}

function code(tone: Tone | undefined): string | null {
  const found = tone === undefined ? null : CODES[tone];
  return found === null ? null : String(found);
}
