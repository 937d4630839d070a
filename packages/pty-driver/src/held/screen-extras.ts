import type { Terminal } from "@xterm/headless";

export interface Region {
  /** Rows from 1 on. */
  readonly top: number;
  readonly bottom: number;
}

/** State of the emulator that its interface does not expose. */
export interface Extras {
  cursorVisible(): boolean;
  /** Null for the whole screen. */
  scrollRegion(): Region | null;
  /** Sequences for the modes that a serialized screen omits. */
  modes(): string;
  /** Sequences for the style of the next character. */
  style(): string;
  resized(): void;
}

/** The encoding of mouse events, and whether a wheel sends arrow keys. */
const KEPT = [1005, 1006, 1007, 1015, 1016] as const;
const CURSOR = 25;
const ALTERNATE = [47, 1047, 1049];
const MOST_STYLES = 64;

type Parameters = (number | number[])[];

/** Listens to the sequences that the emulator executes. */
export function extras(terminal: Terminal): Extras {
  const on = new Set<number>([CURSOR]);
  const regions = new Map<string, Region>();
  let styles: string[] = [];
  const buffer = () => terminal.buffer.active.type;
  const reset = () => {
    on.clear();
    on.add(CURSOR);
    regions.clear();
    styles = [];
    return false;
  };
  const set = (parameters: Parameters) => {
    for (const mode of parameters.flat()) on.add(mode);
    if (parameters.flat().some((mode) => ALTERNATE.includes(mode))) regions.delete("alternate");
    return false;
  };
  const unset = (parameters: Parameters) => {
    for (const mode of parameters.flat()) on.delete(mode);
    return false;
  };
  const region = ([top = 1, bottom = 0]: Parameters) => {
    const found = { top: Number(top) || 1, bottom: Number(bottom) || terminal.rows };
    const whole = found.top <= 1 && found.bottom >= terminal.rows;
    if (whole) regions.delete(buffer());
    else if (found.top < found.bottom) regions.set(buffer(), found);
    return false;
  };
  const style = (parameters: Parameters) => {
    const kept = (parameters[0] ?? 0) === 0 ? [] : styles;
    const plain = parameters.every((one) => one === 0);
    styles = plain ? [] : [...kept, styleText(parameters)].slice(-MOST_STYLES);
    return false;
  };
  const { parser } = terminal;
  parser.registerCsiHandler({ prefix: "?", final: "h" }, set);
  parser.registerCsiHandler({ prefix: "?", final: "l" }, unset);
  parser.registerCsiHandler({ final: "r" }, region);
  parser.registerCsiHandler({ final: "m" }, style);
  parser.registerCsiHandler({ intermediates: "!", final: "p" }, reset);
  parser.registerEscHandler({ final: "c" }, reset);
  return {
    cursorVisible: () => on.has(CURSOR),
    scrollRegion: () => regions.get(buffer()) ?? null,
    modes: () =>
      KEPT.filter((mode) => on.has(mode))
        .map((mode) => `\u001b[?${mode}h`)
        .join(""),
    style: () => styles.join(""),
    resized: () => regions.clear(),
  };
}

/** Sub-parameters follow theirs, with colons. */
function styleText(parameters: Parameters): string {
  const texts = parameters.map((one) => (Array.isArray(one) ? `:${one.join(":")}` : `;${one}`));
  return `\u001b[${texts.join("").slice(1)}m`;
}
