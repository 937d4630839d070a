const ESC = "\u001b";
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const ERASES_LINE = "K";

/**
 * Bytes that can do more than print, scroll or end a line: controls, and U+0080 to U+00BF, of which the first half are controls too. An escape is
 * examined on its own.
 */
const UNSAFE = /[\u0000-\u0006\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f\u00c2]/;

/** A style, or an erased rest of a line: neither moves the cursor. */
const SAFE_ESCAPE = /\u001b\[[\d;:]*[mK]/y;

const INCOMPLETE = /^\u001b(?:\[[\d;:]*)?$/;

/** A style that replaces all earlier ones. */
const RESET = /^\u001b\[0*m$/;

/** More styles than a program sets without a reset are not worth keeping. */
const MOST_STYLES = 64;

/**
 * The chunks without the text that scrolls out of a terminal that keeps `lines` lines: they leave it in the same state. Null if there is no such
 * text. Only for a terminal between two sequences and without a scroll region.
 */
export function withoutScrolledAway(chunks: readonly Uint8Array[], lines: number): readonly Uint8Array[] | null {
  const { end, styles } = safePrefix(chunks);
  const from = startOfLast(chunks, { lines: lines + 1, end });
  if (from === null) return null;
  const kept = stylesBefore(styles, from.at);
  if (kept === null) return null;
  const [first = new Uint8Array(), ...others] = chunks.slice(from.chunk);
  const rest = [first.subarray(from.offset), ...others];
  return kept === "" ? rest : [Buffer.from(kept, "latin1"), ...rest];
}

interface Style {
  /** In bytes from the first chunk on. */
  readonly at: number;
  readonly text: string;
}

/** The length of the beginning that only prints, styles and scrolls, and its styles. */
function safePrefix(chunks: readonly Uint8Array[]): { readonly end: number; readonly styles: readonly Style[] } {
  const styles: Style[] = [];
  let from = 0;
  /** The incomplete escape at the end of the last chunk. */
  let carried = "";
  for (const chunk of chunks) {
    const text = carried + bufferOf(chunk).toString("latin1");
    const at = from - carried.length;
    const { end, rest } = examine(text, (style, index) => styles.push({ at: at + index, text: style }));
    if (end < text.length - rest.length) return { end: at + end, styles };
    carried = rest;
    from += chunk.length;
  }
  return { end: from - carried.length, styles };
}

/** Where a text becomes unsafe, or its length without an incomplete escape at its end. */
function examine(text: string, onStyle: (style: string, index: number) => void): { readonly end: number; readonly rest: string } {
  const unsafe = text.search(UNSAFE);
  const limit = unsafe < 0 ? text.length : unsafe;
  for (let at = text.indexOf(ESC); at >= 0 && at < limit; at = text.indexOf(ESC, at + 1)) {
    SAFE_ESCAPE.lastIndex = at;
    const [found] = SAFE_ESCAPE.exec(text) ?? [];
    if (found === undefined) return { end: at, rest: INCOMPLETE.test(text.slice(at)) ? text.slice(at) : "" };
    if (!found.endsWith(ERASES_LINE)) onStyle(found, at);
  }
  return { end: limit, rest: "" };
}

interface Place {
  /** In bytes from the first chunk on. */
  readonly at: number;
  readonly chunk: number;
  readonly offset: number;
}

/** Where the first of the last `lines` line ends begins; null without one that also returns to the first column. */
function startOfLast(chunks: readonly Uint8Array[], { lines, end }: { readonly lines: number; readonly end: number }): Place | null {
  let left = lines;
  let from = chunks.reduce((size, { length }) => size + length, 0);
  for (const [chunk, bytes] of [...chunks.entries()].reverse()) {
    from -= bytes.length;
    const buffer = bufferOf(bytes);
    for (let at = end - from; at > 0; ) {
      at = buffer.lastIndexOf(LINE_FEED, at - 1);
      if (at < 0) break;
      left -= 1;
      if (left === 0) return returnBefore(chunks, { at: from + at, chunk, offset: at });
    }
  }
  return null;
}

/** The carriage return before a line feed, possibly in the previous chunk; null without one, or at the very beginning. */
function returnBefore(chunks: readonly Uint8Array[], { at, chunk, offset }: Place): Place | null {
  const before = chunks[offset > 0 ? chunk : chunk - 1];
  const last = offset > 0 ? offset - 1 : (before?.length ?? 0) - 1;
  if (before?.[last] !== RETURN || at === 1) return null;
  return { at: at - 1, chunk: offset > 0 ? chunk : chunk - 1, offset: last };
}

/** The styles in effect at a position; null when too many are combined. */
function stylesBefore(styles: readonly Style[], from: number): string | null {
  const before = styles.filter(({ at }) => at < from);
  const since = before.slice(
    Math.max(
      0,
      before.findLastIndex(({ text }) => RESET.test(text)),
    ),
  );
  return since.length > MOST_STYLES ? null : since.map(({ text }) => text).join("");
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
