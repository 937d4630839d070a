const MAX = 160;

/** A message of an agent in one line: its first meaningful line, without Markdown, at most 160 characters. */
export function thoughtText(message: string): string | null {
  const line = message
    .split("\n")
    .map(plain)
    .find((text) => /[\p{L}\p{N}]/u.test(text));
  if (line === undefined) return null;
  const characters = [...line];
  return characters.length <= MAX ? line : `${characters.slice(0, MAX - 1).join("")}…`;
}

function plain(line: string): string {
  return line
    .replace(/^\s*(#{1,6}|[-*+>]|\d+[.)])\s+/u, "")
    .replace(/\*\*|__|`/gu, "")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
}
