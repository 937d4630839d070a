/** Quotes exactly this text as one word of a POSIX shell. For agents that accept a hook only as a shell line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}
