/** A mouse event; rows and columns count from 0. */
export interface Pointed {
  readonly kind: "press" | "wheel_up" | "wheel_down";
  readonly row: number;
  readonly column: number;
}

const LEFT = 0;
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;

/** Reads a report in xterm's SGR form (`CSI < button ; column ; row M`); null for anything else, or an unused one. */
export function readMouse(sequence: string): Pointed | null {
  const [, button, column, row, end] = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])$/.exec(sequence) ?? [];
  if (end !== "M") return null;
  const at = { row: Number(row) - 1, column: Number(column) - 1 };
  if (Number(button) === LEFT) return { kind: "press", ...at };
  if (Number(button) === WHEEL_UP) return { kind: "wheel_up", ...at };
  return Number(button) === WHEEL_DOWN ? { kind: "wheel_down", ...at } : null;
}

export function isMouse(sequence: string): boolean {
  return sequence.startsWith("\u001b[<");
}
