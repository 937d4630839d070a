import { trimmedScreen } from "./screen-text.js";

/** A screen's content as wrapping text: a drawn horizontal line becomes a rule, and box sides are omitted. */
export type ReadingPart = { readonly kind: "text"; readonly text: string } | { readonly kind: "rule" };

const RULE = /^[\s─━═╌┄╍▔▁╭╮╰╯┌┐└┘├┤┬┴┼_—-]{10,}$/u;
const SIDES = /^\s*[│┃║]\s?(.*?)\s*[│┃║]$/u;

export function readingParts(lines: readonly string[]): readonly ReadingPart[] {
  const parts: ReadingPart[] = [];
  let text: string[] = [];
  const end = () => {
    if (text.length > 0) parts.push({ kind: "text", text: text.join("\n") });
    text = [];
  };
  for (const line of trimmedScreen(lines)) {
    if (RULE.test(line)) {
      end();
      parts.push({ kind: "rule" });
    } else text.push(SIDES.exec(line)?.[1] ?? line);
  }
  end();
  return parts;
}
