/** Number of characters at the end of an input that prove that the whole text arrived. */
const PROOF = 200;
/** Characters that may be missing in one place: agents and terminals disagree about widths. */
const LOST = 12;
/** Maximum distance between the first and the last row of a long text on a screen, in characters. */
const SCREEN = 20_000;

/**
 * The part of a text that an input shows. `all`: its end, and nothing else; `part`: consecutive rows of it, and nothing else; `other`:
 * other text too.
 * Characters without an agreed width, such as emoji, marks and joiners, are skipped, and their neighbours may be missing.
 */
export type Shown = "nothing" | "part" | "all" | "other";

export function shownOf(draft: string, text: string): Shown {
  if (draft.trim() === "") return "nothing";
  const shown = solid(draft);
  const end = text.slice(-SCREEN);
  if (shown.length === 0) return solid(end).length === 0 ? "all" : "part";
  if (isEnd(shown, end)) return "all";
  return standsIn(shown, text) ? "part" : "other";
}

/** Enough of the text, up to its end, to prove that all of it arrived. */
function isEnd(shown: readonly string[], text: string): boolean {
  const whole = solid(text);
  if (shown.length < Math.min(PROOF, whole.length * 0.9)) return false;
  const last = whole.length - (hasLoose(text.slice(-LOST)) ? LOST + 1 : 1);
  const ends = whole.map((_, at) => at).slice(Math.max(0, last));
  return standsAt(shown, { whole, ends, lost: hasLoose(text) ? LOST : 0 });
}

function standsIn(shown: readonly string[], text: string): boolean {
  const whole = solid(text);
  if (!hasLoose(text)) return whole.join("").includes(shown.join(""));
  return standsAt(shown, { whole, ends: whole.map((_, at) => at), lost: LOST });
}

interface Places {
  readonly whole: readonly string[];
  /** The possible position of the last character. */
  readonly ends: readonly number[];
  /** Maximum number of missing characters between two. */
  readonly lost: number;
}

/** Backwards from each end: every position at which the compared part may begin. */
function standsAt(shown: readonly string[], { whole, ends, lost }: Places): boolean {
  let places: ReadonlySet<number> = new Set(ends.filter((at) => whole[at] === shown.at(-1)));
  for (const character of shown.slice(0, -1).toReversed()) {
    const next = new Set<number>();
    for (const place of places) {
      for (let at = place - 1; at >= Math.max(0, place - 1 - lost); at--) if (whole[at] === character) next.add(at);
    }
    if (next.size === 0) return false;
    places = next;
  }
  return places.size > 0;
}

/** Characters that every terminal shows in cells of their own. */
function solid(text: string): readonly string[] {
  return [...text.normalize("NFD").replace(LOOSE, "").replace(/\s+/gu, "")];
}

/** Emoji, flags, marks, joiners, vowels and finals of decomposed Hangul: their width differs between terminals. */
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
