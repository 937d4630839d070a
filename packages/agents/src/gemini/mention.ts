/** `@` makes Gemini read the file itself; a backslash keeps what is not a plain letter of a path. */
export function geminiMention(path: string): string {
  return `@${path.replace(/[^\w./~+-]/gu, (letter) => `\\${letter}`)}`;
}
