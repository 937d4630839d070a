/** Joiners with a function: between emoji, and inside words of scripts that use them. */
export const JOINING: readonly RegExp[] = [
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})/gu,
  /(?<=\p{Script=Arabic})[\u200c\u200d](?=\p{Script=Arabic})/gu,
  /(?<=[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}])[\u200c\u200d](?=\p{L})/gu,
];

/**
 * A joiner without a function: a terminal still draws the next character over the one before it, and later output of the agent is misread.
 */
export function withoutIdleJoiners(text: string): string {
  const needed = placesOf(text, JOINING);
  return text.replace(/\u200d/gu, (character, at: number) => (needed.has(at) ? character : ""));
}

/** The positions of matches in the text, in UTF-16 units. */
export function placesOf(text: string, patterns: readonly RegExp[]): ReadonlySet<number> {
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
  return new Set(found.flatMap(({ 0: { length }, index }) => Array.from({ length }, (_, at) => index + at)));
}
