/** The end of a word that may name an image, or another file that agents attach. */
const IMAGE = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|svg|avif|heic|pdf)(?=["'\s]|$)/giu;

/**
 * Ends a piece inside each image name: Claude Code 2.1.332, Codex 0.171.0 and OpenCode 1.18.33 replace a pasted path of an existing image
 * by the image. A text of more than `most` characters is left whole, since agents show a placeholder for it.
 */
export function piecesOfImages(typed: string, most: number): readonly string[] {
  if (typed.length > most) return [typed];
  const cuts = [...typed.matchAll(IMAGE)].map(({ index, 0: name }) => index + name.length - 1);
  return [0, ...cuts].map((from, number) => typed.slice(from, cuts[number]));
}
