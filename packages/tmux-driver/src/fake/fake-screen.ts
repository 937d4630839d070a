/** What a terminal of this size shows of the text written to it. Knows line ends, backspace, tab, clearing; passes over other control sequences. */
export interface FakeScreen {
  write(text: string): void;
  /** Replaces what is visible; the cursor goes behind the last character. */
  draw(lines: readonly string[]): void;
  visible(): string[];
  history(): readonly string[];
  cursor(): { readonly column: number; readonly row: number };
}

const SEQUENCE = /^\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007]*\u0007|[()][A-Z0-9]|.)/;

export function fakeScreen({ columns, rows }: { readonly columns: number; readonly rows: number }): FakeScreen {
  const history: string[] = [];
  let grid: string[][] = [[]];
  let row = 0;
  let column = 0;

  const lineFeed = () => {
    row += 1;
    if (row >= rows) {
      history.push((grid.shift() ?? []).join("").trimEnd());
      row = rows - 1;
    }
    grid[row] ??= [];
  };
  const put = (character: string) => {
    if (column >= columns) {
      lineFeed();
      column = 0;
    }
    const line = grid[row] ?? [];
    while (line.length < column) line.push(" ");
    line[column] = character;
    column += 1;
  };
  const control: Readonly<Record<string, () => void>> = {
    "\n": () => {
      lineFeed();
      column = 0;
    },
    "\r": () => {
      column = 0;
    },
    "\b": () => {
      column = Math.max(0, column - 1);
    },
    "\t": () => {
      column = Math.min(columns - 1, column + 8 - (column % 8));
    },
    "\u0007": () => undefined,
  };
  const obey = (sequence: string) => {
    if (sequence === "\u001b[K") grid[row]?.splice(column);
    if (sequence === "\u001b[2J") grid = Array.from({ length: row + 1 }, () => []);
    if (sequence === "\u001b[H") {
      row = 0;
      column = 0;
    }
  };
  return {
    write(text) {
      for (let rest = text; rest !== ""; ) {
        const sequence = SEQUENCE.exec(rest)?.[0];
        const step = sequence ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
        if (sequence !== undefined) obey(sequence);
        else (control[step] ?? (() => put(step)))();
        rest = rest.slice(step.length);
      }
    },
    draw(lines) {
      grid = lines.slice(-rows).map((line) => [...line]);
      if (grid.length === 0) grid = [[]];
      row = grid.length - 1;
      column = grid[row]?.length ?? 0;
    },
    visible: () => Array.from({ length: rows }, (_, index) => (grid[index] ?? []).join("").trimEnd()),
    history: () => history,
    cursor: () => ({ column: Math.min(column, columns - 1), row }),
  };
}
