import type { ScreenReading } from "../observe/observe.js";

/** Whether a typed text has no effect until Enter is pressed: it is one line, in an agent's own input. */
export function waitsForEnter({ reading }: Pick<ScreenReading, "reading">, text: string): boolean {
  return reading.draft !== null && !text.includes("\n");
}
