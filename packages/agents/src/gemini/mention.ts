/** `@` makes Gemini read the file itself; a backslash escapes special characters of a path. */
export function geminiMention(path: string): string {
  return `@${path.replace(/[^\w./~+-]/gu, (letter) => `\\${letter}`)}`;
}
