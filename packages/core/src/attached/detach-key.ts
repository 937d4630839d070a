const KEY = 0x1c;
/** Delay after which a single key goes to the program, in ms. */
const ALONE_MS = 500;

export interface DetachKeyOptions {
  readonly typed: (bytes: Uint8Array) => void;
  readonly detach: () => void;
}

/** Detaches on Ctrl-\ twice; one followed by another key is typed. */
export function detachKey({ typed, detach }: DetachKeyOptions): (bytes: Uint8Array) => void {
  let waits: NodeJS.Timeout | null = null;
  const give = (bytes: Uint8Array) => {
    if (bytes.length > 0) typed(bytes);
  };
  const alone = () => {
    waits = null;
    typed(Uint8Array.of(KEY));
  };
  return (bytes) => {
    const all = waits === null ? bytes : Uint8Array.of(KEY, ...bytes);
    if (waits !== null) clearTimeout(waits);
    waits = null;
    const twice = all.findIndex((byte, index) => byte === KEY && all[index + 1] === KEY);
    if (twice >= 0) {
      give(all.subarray(0, twice));
      return detach();
    }
    if (all.at(-1) !== KEY) return give(all);
    give(all.subarray(0, -1));
    waits = setTimeout(alone, ALONE_MS);
  };
}
