export function withoutBlankEnd(rows: readonly string[]): readonly string[] {
  return rows.slice(0, rows.findLastIndex((row) => row.trim() !== "") + 1);
}

export function isBlank(row: string | undefined): boolean {
  return row === undefined || row.trim() === "";
}

/** Without white space: rows wrap, and tabs and trailing blanks are drawn differently. */
export function squeeze(text: string): string {
  return text.replace(/\s+/gu, "");
}

/** The blocks of a conversation, the nearest first. A block begins in the first column, where only the agent itself writes. */
export function blocksFromEnd(rows: readonly string[], begins = /^\S/u): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  for (const row of rows) {
    if (begins.test(row)) blocks.unshift([row]);
    else blocks[0]?.push(row);
  }
  return blocks;
}
