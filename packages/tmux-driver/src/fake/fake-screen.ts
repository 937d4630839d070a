/**
 * A terminal's screen of the given size for the text written to it. Supports line ends, backspace, tab, clearing; skips other control
 * sequences.
 */
export interface FakeScreen {
  write(text: string): void;
  /** Replaces the visible screen; the cursor is after the last character. */
  draw(lines: readonly string[]): void;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  visible(): string[];
  history(): readonly string[];
  cursor(): { readonly column: number; readonly row: number };
}

interface Grid {
  columns: number;
  rows: number;
  readonly history: string[];
  lines: string[][];
  row: number;
  column: number;
}

const SEQUENCE = /^\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007]*\u0007|[()][A-Z0-9]|.)/;

export function fakeScreen({ columns, rows }: { readonly columns: number; readonly rows: number }): FakeScreen {
  const grid: Grid = { columns, rows, history: [], lines: [[]], row: 0, column: 0 };
  return {
    write(text) {
      for (let rest = text; rest !== ""; ) {
        const step = SEQUENCE.exec(rest)?.[0] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
        const obey = CONTROLS[step];
        if (obey !== undefined) obey(grid);
        else if (!step.startsWith("\u001b")) put(grid, step);
        rest = rest.slice(step.length);
      }
    },
    draw(lines) {
      grid.lines = lines.slice(-grid.rows).map((line) => [...line]);
      if (grid.lines.length === 0) grid.lines = [[]];
      grid.row = grid.lines.length - 1;
      grid.column = grid.lines[grid.row]?.length ?? 0;
    },
    resize(size) {
      Object.assign(grid, size);
      while (grid.row >= grid.rows) {
        grid.history.push(textOf(grid.lines.shift()));
        grid.row -= 1;
      }
      grid.column = Math.min(grid.column, grid.columns);
    },
    visible: () => Array.from({ length: grid.rows }, (_, index) => textOf(grid.lines[index])),
    history: () => grid.history,
    cursor: () => ({ column: Math.min(grid.column, grid.columns - 1), row: grid.row }),
  };
}

const CONTROLS: Readonly<Record<string, (grid: Grid) => void>> = {
  "\n": (grid) => {
    lineFeed(grid);
    grid.column = 0;
  },
  "\r": (grid) => {
    grid.column = 0;
  },
  "\b": (grid) => {
    grid.column = Math.max(0, grid.column - 1);
  },
  "\t": (grid) => {
    grid.column = Math.min(grid.columns - 1, grid.column + 8 - (grid.column % 8));
  },
  "\u0007": () => undefined,
  "\u001b[K": (grid) => void grid.lines[grid.row]?.splice(grid.column),
  "\u001b[2J": (grid) => {
    grid.lines = Array.from({ length: grid.row + 1 }, () => []);
  },
  "\u001b[H": (grid) => {
    grid.row = 0;
    grid.column = 0;
  },
};

function lineFeed(grid: Grid): void {
  grid.row += 1;
  if (grid.row >= grid.rows) {
    grid.history.push(textOf(grid.lines.shift()));
    grid.row = grid.rows - 1;
  }
  grid.lines[grid.row] ??= [];
}

function put(grid: Grid, character: string): void {
  if (grid.column >= grid.columns) {
    lineFeed(grid);
    grid.column = 0;
  }
  const line = grid.lines[grid.row] ?? [];
  while (line.length < grid.column) line.push(" ");
  line[grid.column] = character;
  grid.column += 1;
}

function textOf(line: readonly string[] | undefined): string {
  return (line ?? []).join("").trimEnd();
}
