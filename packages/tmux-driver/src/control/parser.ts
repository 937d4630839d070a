import { decodeOctal } from "./octal.js";

/** The messages of a control-mode client, item by item (tmux 3.2a to current, "CONTROL MODE" of its manual). */
export type ControlItem =
  /** One command's result: empty, or whole lines. `ours` distinguishes our commands from those that tmux ran itself. */
  | { readonly type: "block"; readonly number: number; readonly ok: boolean; readonly ours: boolean; readonly text: string }
  /** A pane's output. `ageMs` is how long it waited in tmux; null without flow control. */
  | { readonly type: "output"; readonly paneId: string; readonly data: Buffer; readonly ageMs: number | null }
  | { readonly type: "notification"; readonly name: string; readonly rest: string }
  | { readonly type: "exit"; readonly reason: string | null };

export interface ControlParser {
  /** The items completed by the chunk. */
  feed(chunk: Buffer): ControlItem[];
}

interface Guard {
  readonly kind: "begin" | "end" | "error";
  readonly stamp: string;
  readonly number: number;
  readonly ours: boolean;
}

/** An incomplete block. */
interface OpenBlock {
  readonly stamp: string;
  /** The text of the line that ends it. */
  readonly needle: Buffer;
  /** Its whole lines from earlier chunks. */
  readonly parts: Buffer[];
}

interface BlockEnd {
  readonly guard: Guard;
  /** The start of its line, and of the next one. */
  readonly from: number;
  readonly to: number;
}

const PERCENT = 0x25;
const LINE_FEED = 0x0a;
const OUTPUT = Buffer.from("%output ");
const EXTENDED = Buffer.from("%extended-output ");
const GUARD = /^%(begin|end|error) (\d+) (\d+) (\d+)$/;

export function controlParser(): ControlParser {
  let rest: Buffer = Buffer.alloc(0);
  let open: OpenBlock | null = null;

  /** Processes complete lines from a position, and returns where it stopped. */
  function step(bytes: Buffer, { at, items }: { readonly at: number; readonly items: ControlItem[] }): number {
    if (open !== null) return inside(bytes, { at, items, block: open });
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0) return at;
    const item = outside(bytes.subarray(at, end));
    if (item !== null) items.push(item);
    return end + 1;
  }

  function outside(line: Buffer): ControlItem | null {
    if (line[0] !== PERCENT) return null;
    if (startsWith(line, OUTPUT)) return output(line);
    if (startsWith(line, EXTENDED)) return extendedOutput(line);
    const text = line.toString("utf8");
    const guard = readGuard(text);
    if (guard?.kind !== "begin") return notification(text);
    open = { stamp: guard.stamp, needle: Buffer.from(` ${guard.stamp} `), parts: [] };
    return null;
  }

  function inside(
    bytes: Buffer,
    { at, items, block }: { readonly at: number; readonly items: ControlItem[]; readonly block: OpenBlock },
  ): number {
    const end = blockEnd(bytes, { at, block });
    if (end === null) {
      const whole = Math.max(at, bytes.lastIndexOf(LINE_FEED) + 1);
      if (whole > at) block.parts.push(bytes.subarray(at, whole));
      return whole;
    }
    const { guard } = end;
    const last = bytes.subarray(at, end.from);
    const text = (block.parts.length === 0 ? last : Buffer.concat([...block.parts, last])).toString("utf8");
    open = null;
    items.push({ type: "block", number: guard.number, ok: guard.kind === "end", ours: guard.ours, text });
    return end.to;
  }

  return {
    feed(chunk) {
      const items: ControlItem[] = [];
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      for (let next = step(bytes, { at, items }); next > at; next = step(bytes, { at, items })) at = next;
      rest = bytes.subarray(at);
      return items;
    },
  };
}

/** A block may contain lines that look like guards; only the one with its own time and number ends it. */
function blockEnd(bytes: Buffer, { at, block }: { readonly at: number; readonly block: OpenBlock }): BlockEnd | null {
  for (let found = bytes.indexOf(block.needle, at); found >= 0; found = bytes.indexOf(block.needle, found + 1)) {
    const from = Math.max(at, bytes.lastIndexOf(LINE_FEED, found) + 1);
    const end = bytes.indexOf(LINE_FEED, found);
    if (end < 0) return null;
    const guard = readGuard(bytes.toString("utf8", from, end));
    if (guard !== null && guard.kind !== "begin" && guard.stamp === block.stamp) return { guard, from, to: end + 1 };
  }
  return null;
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

/** `%extended-output %PANE AGE … : DATA`; the part between the age and the colon is reserved. */
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
