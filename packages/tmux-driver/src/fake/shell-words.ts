const WORD = /'([^']*)'|"([^"]*)"|([^\s'"]+)/g;

/** The words of a command line: quotes removed, `$NAME` and `$?` replaced outside single quotes. */
export function shellWords(line: string, variables: Readonly<Record<string, string>>): string[] {
  const expand = (text: string) => text.replace(/\$(\?|[A-Za-z_][A-Za-z0-9_]*)/g, (_, name: string) => variables[name] ?? "");
  const words: string[] = [];
  let end = -1;
  for (const match of line.matchAll(WORD)) {
    const part = match[1] ?? expand(match[2] ?? match[3] ?? "");
    if (match.index === end) words.push((words.pop() ?? "") + part);
    else words.push(part);
    end = match.index + match[0].length;
  }
  return words;
}
