/** Maximum spread of a grey's components, and its maximum brightness, of 255: themes use brighter ones for text. */
const MOST_APART = 48;
const MOST_BRIGHT = 165;

/** Whether a colour (`#rrggbb`, or a palette number) is a grey darker than text. */
export function isGrey(colour: string | null): boolean {
  if (colour === null) return false;
  const parts = colour.startsWith("#") ? [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) : paletteGrey(Number(colour));
  if (parts === null || parts.some(Number.isNaN)) return false;
  return Math.max(...parts) - Math.min(...parts) <= MOST_APART && Math.max(...parts) <= MOST_BRIGHT && Math.max(...parts) > 0;
}

/** Of the 256 colours, bright black and the greyscale ramp. */
function paletteGrey(number: number): readonly number[] | null {
  if (number === 8) return [128, 128, 128];
  return number >= 232 && number <= 255 ? [8 + (number - 232) * 10] : null;
}
