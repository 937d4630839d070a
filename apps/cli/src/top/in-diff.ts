import { visibleText } from "@tmpm/core";
import { cellWidth } from "../render/cell-width.js";
import { keyOf } from "../render/key-of.js";
import { type ChangesMode, type HunksMode, TAB } from "./diff-mode.js";
import type { Message } from "./message.js";
import type { TopState } from "./state.js";
import { type Step, still } from "./step.js";

type Of<K extends Message["kind"]> = Extract<Message, { readonly kind: K }>;

const LEAVES: ReadonlySet<string> = new Set(["escape", "q", "c", "ctrl+c", "backspace"]);
const SIDEWAYS = 20;
/** Rows of the head and of the line of keys. */
const AROUND = 2;

export function rowsOfDiff({ size }: Pick<TopState, "size">): number {
  return Math.max(1, size.rows - AROUND);
}

/** Handles a key while changes are shown. */
export function pressedInDiff(state: TopState, { mode, key }: { readonly mode: ChangesMode | HunksMode; readonly key: string }): Step {
  if (mode.kind === "changes") return LEAVES.has(key) ? still({ ...state, mode: { kind: "list" } }) : inChanges(state, { mode, key });
  return LEAVES.has(key) ? still({ ...state, mode: mode.list }) : inHunks(state, { mode, key });
}

/** Handles the wheel. */
export function wheeledInDiff(state: TopState, lines: number): TopState {
  const { mode } = state;
  if (mode.kind === "changes") return { ...state, mode: atFile(mode, mode.at + Math.sign(lines)) };
  return mode.kind === "hunks" ? { ...state, mode: fromLine(mode, { from: mode.from + lines, rows: rowsOfDiff(state) }) } : state;
}

/** Late responses for a view that was left are ignored. */
export function withChanges(state: TopState, { session, loaded }: Of<"changes">): TopState {
  const { mode } = state;
  if (mode.kind !== "changes" || keyOf(mode.session) !== keyOf(session)) return state;
  return { ...state, mode: atFile({ ...mode, loaded }, mode.at) };
}

export function withHunks(state: TopState, { session, file, loaded }: Of<"hunks">): TopState {
  const { mode } = state;
  if (mode.kind !== "hunks" || keyOf(mode.list.session) !== keyOf(session) || mode.file.path !== file.path) return state;
  return { ...state, mode: fromLine({ ...mode, loaded }, { from: mode.from, rows: rowsOfDiff(state) }) };
}

function inChanges(state: TopState, { mode, key }: { readonly mode: ChangesMode; readonly key: string }): Step {
  const move = movedBy(key, rowsOfDiff(state));
  if (move !== null) return still({ ...state, mode: atFile(mode, mode.at + move) });
  if (key === "r")
    return { state: { ...state, mode: { ...mode, loaded: { kind: "loading" } } }, effects: [{ kind: "changes", session: mode.session }] };
  return key === "enter" || key === "right" ? opened(state, mode) : still(state);
}

function inHunks(state: TopState, { mode, key }: { readonly mode: HunksMode; readonly key: string }): Step {
  const rows = rowsOfDiff(state);
  const move = movedBy(key, rows);
  if (move !== null) return still({ ...state, mode: fromLine(mode, { from: mode.from + move, rows }) });
  if (key === "right") return still({ ...state, mode: { ...mode, column: Math.min(mode.column + SIDEWAYS, widest(mode, rows)) } });
  if (key === "left") return still({ ...state, mode: { ...mode, column: Math.max(0, mode.column - SIDEWAYS) } });
  if (key === "n" || key === "p") return opened(state, atFile(mode.list, mode.list.at + (key === "n" ? 1 : -1)));
  if (key !== "r") return still(state);
  const { list, file } = mode;
  return { state: { ...state, mode: { ...mode, loaded: { kind: "loading" } } }, effects: [{ kind: "hunks", session: list.session, file }] };
}

function opened(state: TopState, list: ChangesMode): Step {
  const file = list.loaded.kind === "shown" ? list.loaded.value.files[list.at] : undefined;
  if (file === undefined) return still(state);
  const mode: HunksMode = { kind: "hunks", list, file, loaded: { kind: "loading" }, from: 0, column: 0 };
  return { state: { ...state, mode }, effects: [{ kind: "hunks", session: list.session, file }] };
}

/** Number of lines to scroll; null for a key that does not scroll. */
function movedBy(key: string, rows: number): number | null {
  if (key === "up" || key === "k") return -1;
  if (key === "down" || key === "j") return 1;
  if (key === "pageUp" || key === "ctrl+b") return -rows;
  if (key === "pageDown" || key === "ctrl+f" || key === "space") return rows;
  if (key === "home" || key === "g") return Number.NEGATIVE_INFINITY;
  return key === "end" || key === "G" ? Number.POSITIVE_INFINITY : null;
}

function atFile(mode: ChangesMode, at: number): ChangesMode {
  const count = mode.loaded.kind === "shown" ? mode.loaded.value.files.length : 0;
  return mode.loaded.kind === "shown" ? { ...mode, at: Math.max(0, Math.min(at, count - 1)) } : mode;
}

function fromLine(mode: HunksMode, { from, rows }: { readonly from: number; readonly rows: number }): HunksMode {
  if (mode.loaded.kind !== "shown") return mode;
  const { lines, isCut } = mode.loaded.value;
  return { ...mode, from: Math.max(0, Math.min(from, lines.length + (isCut ? 1 : 0) - rows)) };
}

/** Last column of the longest visible line, in cells. */
function widest({ loaded, from }: HunksMode, rows: number): number {
  if (loaded.kind !== "shown") return 0;
  const visible = loaded.value.lines.slice(from, from + rows);
  return Math.max(0, ...visible.map((line) => cellWidth(visibleText(line.replaceAll("\t", TAB))) - 1));
}
