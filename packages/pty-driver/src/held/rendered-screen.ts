import type { StyledRun } from "@tmpm/core";
import { TmpmError } from "@tmpm/core/errors";
import { SerializeAddon } from "@xterm/addon-serialize";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import headless, { type IBuffer, type Terminal } from "@xterm/headless";
import type { KeyModes } from "../key-bytes.js";
import { type Extras, extras } from "./screen-extras.js";
import { styledRuns } from "./styled-runs.js";
import { unfinished } from "./unfinished.js";

/** Rows of scrollback; as many as in our tmux servers. */
const SCROLLBACK = 5000;
/** Maximum number of styled runs, and of UTF-16 units, in one reply. */
const MOST_RUNS = 100_000;
const MOST_UNITS = 8 * 1024 * 1024;

export interface ScreenFacts {
  readonly lines: readonly string[];
  readonly cursor: { readonly column: number; readonly row: number; readonly visible: boolean };
  readonly historySize: number;
  readonly title: string;
  /** For each of `lines`; undefined with scrollback, for a screen with more than `MOST_RUNS` runs, and from a holder of an older version. */
  readonly styles?: readonly (readonly StyledRun[])[];
}

/** A terminal in memory: the screen after all written bytes. */
export interface RenderedScreen {
  write(bytes: Uint8Array): void;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  facts(history: number): ScreenFacts;
  /** The bytes that bring a terminal of the same size to this state, from where it continues with later output. */
  paint(): Uint8Array;
  framesPastes(): boolean;
  keyModes(): KeyModes;
  /** The number of lines after which nothing of the present screen is left, if each now scrolls the whole screen; else null. */
  scrolls(): number | null;
}

export interface ScreenOptions {
  readonly columns: number;
  readonly rows: number;
  /** The terminal's answers to queries of the program. */
  readonly answer: (text: string) => void;
}

export function renderedScreen({ columns, rows, answer }: ScreenOptions): RenderedScreen {
  const terminal = new headless.Terminal({ cols: columns, rows, scrollback: SCROLLBACK, allowProposedApi: true, logLevel: "off" });
  const serializer = new SerializeAddon();
  terminal.loadAddon(serializer);
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  const writeNow = writerOf(terminal);
  const more = extras(terminal);
  const pending = unfinished();
  let title = "";
  terminal.onTitleChange((now) => {
    title = now;
  });
  terminal.onData(answer);
  return {
    write(bytes) {
      pending.take(bytes);
      try {
        writeNow(bytes);
      } catch {
        // A sequence that crashes the emulator must not end the session: the bytes are kept, and the screen restarts.
        terminal.reset();
      }
    },
    resize: (size) => {
      terminal.resize(size.columns, size.rows);
      more.resized();
    },
    facts: (history) => ({ ...textOf(terminal, history), cursor: { ...cursorOf(terminal), visible: more.cursorVisible() }, title }),
    paint: () => Buffer.concat([Buffer.from(paintOf(terminal, { serializer, more })), pending.bytes()]),
    framesPastes: () => terminal.modes.bracketedPasteMode,
    scrolls: () => (more.scrollRegion() === null && pending.isNone() ? SCROLLBACK + 2 * terminal.rows : null),
    keyModes: () => ({ cursor: terminal.modes.applicationCursorKeysMode, keypad: terminal.modes.applicationKeypadMode }),
  };
}

/**
 * Writes synchronously: if the screen lagged behind the bytes, snapshots and the program's end would race. The emulator has this only
 * internally, so its version is pinned. @throws TypeError when it is missing
 */
function writerOf(terminal: Terminal): (bytes: Uint8Array) => void {
  const core: unknown = Reflect.get(terminal, "_core");
  const write: unknown = typeof core === "object" && core !== null ? Reflect.get(core, "writeSync") : undefined;
  if (typeof write !== "function") throw new TypeError("this version of @xterm/headless cannot write at once");
  return (bytes) => void Reflect.apply(write, core, [bytes]);
}

interface Rows {
  readonly from: number;
  readonly to: number;
}

function textOf({ buffer, rows }: Terminal, history: number): Pick<ScreenFacts, "lines" | "styles" | "historySize"> {
  const historySize = buffer.normal.baseY;
  const above: Rows = { from: Math.max(0, historySize - history), to: historySize };
  const shown: Rows = { from: buffer.active.baseY, to: buffer.active.baseY + rows };
  const lines: string[] = [];
  let units = 0;
  for (const [from, part] of [[buffer.normal, above] as const, [buffer.active, shown] as const]) {
    for (let row = part.from; row < part.to; row++) {
      const text = (from.getLine(row)?.translateToString(true) ?? "").trimEnd();
      units += text.length;
      if (units > MOST_UNITS) throw tooMuchText();
      lines.push(text);
    }
  }
  const styles = history === 0 ? stylesOf(buffer.active, { rows: shown, lines }) : null;
  return { lines, historySize, ...(styles === null ? {} : { styles }) };
}

/** Null for too many: a holder's memory is limited, and its reply is one message. */
function stylesOf(
  buffer: IBuffer,
  { rows, lines }: { readonly rows: Rows; readonly lines: readonly string[] },
): readonly (readonly StyledRun[])[] | null {
  let left = MOST_RUNS;
  const styles: (readonly StyledRun[])[] = [];
  for (const [index, text] of lines.entries()) {
    const line = buffer.getLine(rows.from + index);
    const runs = line === undefined ? [] : styledRuns(line, text.length);
    left -= runs.length;
    if (left < 0) return null;
    styles.push(runs);
  }
  return styles;
}

function tooMuchText(): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `the scrollback has more than ${MOST_UNITS} characters`, {
    hint: "Read fewer lines with a smaller `--history`.",
    details: { field: "history" },
  });
}

function cursorOf({ buffer, cols }: Terminal): { readonly column: number; readonly row: number } {
  return { column: Math.min(buffer.active.cursorX, cols - 1), row: buffer.active.cursorY };
}

function paintOf(terminal: Terminal, { serializer, more }: { readonly serializer: SerializeAddon; readonly more: Extras }): string {
  const { column, row } = cursorOf(terminal);
  const region = more.scrollRegion();
  const top = terminal.modes.originMode ? (region?.top ?? 1) - 1 : 0;
  return [
    "\u001b[!p\u001b[0m\u001b[r\u001b[?6l\u001b[4l\u001b[?7h\u001b[?1049l\u001b[H\u001b[2J",
    serializer.serialize({ scrollback: 0 }),
    "\u001b[0m",
    region === null ? "" : `\u001b[${region.top};${region.bottom}r`,
    more.modes(),
    `\u001b[${row + 1 - top};${column + 1}H`,
    more.style(),
    more.cursorVisible() ? "\u001b[?25h" : "\u001b[?25l",
  ].join("");
}
