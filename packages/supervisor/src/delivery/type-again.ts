import type { Context } from "../context.js";
import type { ScreenReading } from "../observe/observe.js";
import { clearInput } from "./interrupt-first.js";
import type { Verdict } from "./receipt.js";
import { pasteOnce, submitTyped, type Typing } from "./type-text.js";

/** A freshly launched agent can lose a part of the text while it sets up its input. */
const AGAIN = 2;

export interface Again {
  readonly typing: Typing;
  /** Of the first typed text. */
  readonly verdict: Verdict;
  /** Called before the text is typed again, with the screen of the empty input. */
  readonly pasting: (before: ScreenReading) => Promise<void>;
}

/** If the input shows only a part of the text, and Enter was not pressed, that part is removed and the text typed again. */
export async function typeAgain(ctx: Context, { typing, verdict, pasting }: Again): Promise<Verdict> {
  let latest = verdict;
  for (let again = 1; again <= AGAIN && isCut(latest) && typing.adapter.clears === true; again++) {
    const before = await clearInput(ctx, typing);
    if (before === null) return latest;
    await pasting(before);
    const pasted = await pasteOnce(ctx, typing);
    const next = await submitTyped(ctx, { ...typing, before, pasted });
    latest = {
      ...next,
      evidence: [`part of the text had arrived and was removed, and the text was typed again (${again})`, ...next.evidence],
    };
  }
  return latest;
}

function isCut({ reason, left }: Verdict): boolean {
  return reason === "not_shown" && (left ?? "") !== "";
}
