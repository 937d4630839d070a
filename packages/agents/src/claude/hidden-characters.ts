import { JOINING, placesOf } from "../text/joiners.js";

/** Invisible characters for Claude Code, except where text needs them (2.1.332). */
const HIDDEN =
  /\u{ad}|\u{34f}|\u{61c}|[\u{115f}\u{1160}\u{17b4}\u{17b5}]|[\u{180b}-\u{180f}]|[\u{200b}-\u{200f}]|[\u{202a}-\u{202e}]|[\u{2060}-\u{206f}]|\u{3164}|[\u{fe00}-\u{fe0f}]|\u{feff}|\u{ffa0}|[\u{fff0}-\u{fffb}]|[\u{e0000}-\u{e0fff}]/gu;

/** Emoji variants, keycaps, the flags of England, Scotland and Wales, and joiners. */
const NEEDED: readonly RegExp[] = [
  ...JOINING,
  /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]/gu,
  /(?<=[\d#*])\ufe0f(?=\u20e3)/gu,
  /(?<=🏴)\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu,
];

export function withoutHidden(text: string): string {
  const needed = placesOf(text, NEEDED);
  return text.replace(HIDDEN, (character, at: number) => (needed.has(at) ? character : ""));
}
