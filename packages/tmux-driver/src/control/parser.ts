import { lineSplitter } from "./line-splitter.js";
import { decodeOctal } from "./octal.js";

/** What a control-mode client of tmux says, item by item (tmux 3.2a to current, "CONTROL MODE" of its manual). */
export type ControlItem =
  /** One command's result. `ours` tells those that we wrote from those that tmux ran for us. */
  | { readonly type: "block"; readonly number: number; readonly ok: boolean; readonly ours: boolean; readonly lines: readonly string[] }
  /** What a pane printed. `ageMs` is how long it waited in tmux; null without flow control. */
  | { readonly type: "output"; readonly paneId: string; readonly data: Buffer; readonly ageMs: number | null }
  | { readonly type: "notification"; readonly name: string; readonly rest: string }
  | { readonly type: "exit"; readonly reason: string | null };

export interface ControlParser {
  /** The items that the chunk completes. */
  feed(chunk: Buffer): ControlItem[];
}

interface Guard {
  readonly kind: "begin" | "end" | "error";
  readonly stamp: string;
  readonly number: number;
  readonly ours: boolean;
}

const PERCENT = 0x25;
const OUTPUT = Buffer.from("%output ");
const EXTENDED = Buffer.from("%extended-output ");
const GUARD = /^%(begin|end|error) (\d+) (\d+) (\d+)$/;

export function controlParser(): ControlParser {
  const split = lineSplitter();
  let open: { readonly guard: Guard; readonly lines: string[] } | null = null;

  function line(bytes: Buffer): ControlItem | null {
    if (open !== null) return inside(bytes);
    if (bytes[0] !== PERCENT) return null;
    if (startsWith(bytes, OUTPUT)) return output(bytes);
    if (startsWith(bytes, EXTENDED)) return extendedOutput(bytes);
    const text = bytes.toString("utf8");
    const guard = readGuard(text);
    if (guard?.kind !== "begin") return notification(text);
    open = { guard, lines: [] };
    return null;
  }

  /** A block may hold lines that look like guards; only the one with its own time and number ends it. */
  function inside(bytes: Buffer): ControlItem | null {
    if (open === null) return null;
    const text = bytes.toString("utf8");
    const guard = bytes[0] === PERCENT ? readGuard(text) : null;
    if (guard === null || guard.kind === "begin" || guard.stamp !== open.guard.stamp) {
      open.lines.push(text);
      return null;
    }
    const block: ControlItem = { type: "block", number: guard.number, ok: guard.kind === "end", ours: guard.ours, lines: open.lines };
    open = null;
    return block;
  }

  return {
    feed(chunk) {
      const items: ControlItem[] = [];
      for (const bytes of split(chunk)) {
        const item = line(bytes);
        if (item !== null) items.push(item);
      }
      return items;
    },
  };
}

function readGuard(text: string): Guard | null {
  const match = GUARD.exec(text);
  if (match === null) return null;
  const [, kind, time, number, flags] = match;
  if (kind !== "begin" && kind !== "end" && kind !== "error") return null;
  return { kind, stamp: `${time} ${number}`, number: Number(number), ours: (Number(flags) & 1) === 1 };
}

/** `%output %PANE DATA` */
function output(bytes: Buffer): ControlItem {
  const space = bytes.indexOf(0x20, OUTPUT.length);
  const end = space < 0 ? bytes.length : space;
  return { type: "output", paneId: bytes.toString("latin1", OUTPUT.length, end), data: decodeOctal(bytes.subarray(end + 1)), ageMs: null };
}

/** `%extended-output %PANE AGE … : DATA`; what stands between the age and the colon is reserved. */
function extendedOutput(bytes: Buffer): ControlItem {
  const colon = bytes.indexOf(" : ", EXTENDED.length);
  const end = colon < 0 ? bytes.length : colon;
  const [paneId = "", age = "0"] = bytes.toString("latin1", EXTENDED.length, end).split(" ");
  return { type: "output", paneId, data: decodeOctal(bytes.subarray(end + 3)), ageMs: Number(age) };
}

function notification(text: string): ControlItem {
  const space = text.indexOf(" ");
  const name = text.slice(1, space < 0 ? undefined : space);
  const rest = space < 0 ? "" : text.slice(space + 1);
  return name === "exit" ? { type: "exit", reason: rest === "" ? null : rest } : { type: "notification", name, rest };
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.length >= prefix.length && bytes.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;
}
