/** One word of a POSIX shell that stands for exactly this text. For agents that take a hook as a line of shell, and no other way. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}
