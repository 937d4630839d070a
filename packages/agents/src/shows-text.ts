/** Characters at the end of an input that prove that the whole text arrived. */
const PROOF = 200;
/** Characters that may be lost in one place: agents and terminals disagree on how wide some of them are. */
const LOST = 12;
/** How far the first and the last row of a long text may be apart on any screen, in characters. */
const SCREEN = 20_000;

/**
 * What an input shows of a text. `all`: its end, and nothing else; `part`: some of it, in order, and nothing else; `other`: something that is not of it.
 * Whatever width a terminal gives to emoji, marks and joiners is no evidence: they are passed over, and what stands beside them may be lost.
 */
export type Shown = "nothing" | "part" | "all" | "other";

export function shownOf(draft: string, whole: string): Shown {
  return draft.trim() === "" ? "nothing" : shownOnScreen(draft, whole.slice(-SCREEN));
}

function shownOnScreen(draft: string, text: string): Shown {
  const shown = solid(draft);
  const whole = solid(text);
  if (shown.length === 0) return whole.length === 0 ? "all" : "part";
  const lost = { last: hasLoose(text.slice(-LOST)) ? LOST : 0, within: hasLoose(text) ? LOST : 0 };
  if (enough(shown, whole) && endsWith(whole, { end: shown, lost })) return "all";
  return isSubsequence(shown, whole) ? "part" : "other";
}

function enough(shown: readonly string[], whole: readonly string[]): boolean {
  return shown.length >= Math.min(PROOF, whole.length * 0.9);
}

/** Backwards from the end: every place in the text where what was compared so far may begin. */
function endsWith(
  whole: readonly string[],
  { end, lost }: { readonly end: readonly string[]; readonly lost: { readonly last: number; readonly within: number } },
): boolean {
  let places: ReadonlySet<number> = new Set([whole.length]);
  for (const character of end.toReversed()) {
    const next = new Set<number>();
    for (const place of places) {
      const most = place === whole.length ? lost.last : lost.within;
      for (let at = place - 1; at >= Math.max(0, place - 1 - most); at--) if (whole[at] === character) next.add(at);
    }
    if (next.size === 0) return false;
    places = next;
  }
  return true;
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const character of part) {
    while (at < whole.length && whole[at] !== character) at++;
    if (at === whole.length) return false;
    at++;
  }
  return true;
}

/** Those that every terminal shows in cells of their own. */
function solid(text: string): readonly string[] {
  return [...text.normalize("NFD").replace(LOOSE, "").replace(/\s+/gu, "")];
}

/** Emoji, flags, marks, joiners, the vowels and ends of decomposed Hangul: of no width that terminals agree on. */
const LOOSE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{M}\p{C}\u1160-\u11ff\ufffd]/gu;

function hasLoose(text: string): boolean {
  const drawn = text.normalize("NFD").replace(/\s+/gu, "");
  return drawn.replace(LOOSE, "") !== drawn;
}

/** Whether an input shows the end of a text among other things. */
export function showsEnd(draft: string, text: string): boolean {
  const end = solid(text).slice(-PROOF).join("");
  return end !== "" && solid(draft).join("").includes(end);
}
