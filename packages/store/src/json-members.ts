/** The position of an object's member in its text: the key from `start`, the value from `valueStart` up to `end`. */
export interface Member {
  readonly key: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** An object in a text, from its brace at `open` to its brace at `close`. */
export interface Members {
  readonly open: number;
  readonly close: number;
  readonly members: readonly Member[];
}

/** Finds the members of the object at `from`, so that one can be replaced and every other byte kept. Values are not checked. @throws SyntaxError */
export function membersOf(text: string, from = 0): Members {
  const open = skipSpace(text, from);
  expectAt(text, { at: open, expected: "{" });
  const members: Member[] = [];
  let at = skipSpace(text, open + 1);
  if (text[at] === "}") return { open, close: at, members };
  for (;;) {
    const member = memberAt(text, at);
    members.push(member);
    const after = skipSpace(text, member.end);
    if (text[after] === "}") return { open, close: after, members };
    expectAt(text, { at: after, expected: "," });
    at = skipSpace(text, after + 1);
  }
}

/** The index of the first character from `at` on that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  let index = at;
  while (SPACE.has(text.charCodeAt(index))) index++;
  return index;
}

const SPACE: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function memberAt(text: string, start: number): Member {
  const keyEnd = endOfString(text, start);
  const colon = skipSpace(text, keyEnd);
  expectAt(text, { at: colon, expected: ":" });
  const valueStart = skipSpace(text, colon + 1);
  const key: unknown = JSON.parse(text.slice(start, keyEnd));
  return { key: String(key), start, valueStart, end: endOfValue(text, valueStart) };
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first === "{" || first === "[") return endOfNested(text, start);
  let end = start;
  while (end < text.length && !",]}".includes(text.charAt(end)) && !SPACE.has(text.charCodeAt(end))) end++;
  if (end === start) throw unexpected(text, start);
  return end;
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) depth++;
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1;
  }
  throw unexpected(text, text.length);
}

function endOfString(text: string, start: number): number {
  expectAt(text, { at: start, expected: '"' });
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  throw unexpected(text, text.length);
}

function expectAt(text: string, { at, expected }: { readonly at: number; readonly expected: string }): void {
  if (text[at] !== expected) throw unexpected(text, at);
}

function unexpected(text: string, at: number): SyntaxError {
  return new SyntaxError(at >= text.length ? "unexpected end of text" : `unexpected ${JSON.stringify(text[at])} at position ${at}`);
}
