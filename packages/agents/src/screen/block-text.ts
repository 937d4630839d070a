import { listAt, textAt } from "../files/json-path.js";

/** The texts of a list of blocks, joined by lines; null when no block of these types has text. */
export function blockText(blocks: unknown, types: readonly string[]): string | null {
  const texts = listAt(blocks).flatMap((block) => (types.includes(textAt(block, "type") ?? "") ? (textAt(block, "text") ?? []) : []));
  return texts.length === 0 ? null : texts.join("\n");
}
