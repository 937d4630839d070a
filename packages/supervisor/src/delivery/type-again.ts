import type { Context } from "../context.js";
import type { Look } from "../looks/observe.js";
import { clearInput } from "./interrupt-first.js";
import type { Verdict } from "./receipt.js";
import { pasteOnce, submitTyped, type Typing } from "./type-text.js";

/** An agent that has just been launched can lose a part of what comes while it sets up its input. */
const AGAIN = 2;

export interface Again {
  readonly typing: Typing;
  /** Of the text that was typed first. */
  readonly verdict: Verdict;
  /** Called before the text is typed once more, with the screen that shows the empty input. */
  readonly pasting: (before: Look) => Promise<void>;
}

/** Where the input shows a part of the text and nothing else, and Enter was not pressed, that part is removed and the text typed once more. */
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
