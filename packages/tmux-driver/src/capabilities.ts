import { TmpmError } from "@tmpm/core";

/** Differences between the supported versions of tmux, by the first version with each. The one list. */
const SINCE = {
  /** `paste-buffer -S`: without it, pasted control characters become visible text. */
  pasteRaw: "3.7",
  /**
   * Extended keys without loss: before, a program that does not request them gets neither Shift+Enter as Enter nor Shift+Space as a space.
   */
  extendedKeys: "3.5",
} as const;

export const OLDEST = "3.2a";

export type Capability = keyof typeof SINCE;
export type Capabilities = Readonly<Record<Capability, boolean>>;

/** The capabilities of a server version (`#{version}`, or the second word of `tmux -V`). */
export function capabilitiesOf(version: string): Capabilities {
  return { pasteRaw: atLeast(version, SINCE.pasteRaw), extendedKeys: atLeast(version, SINCE.extendedKeys) };
}

/** @throws TMUX_TOO_OLD */
export function requireSupported(version: string): void {
  if (atLeast(version, OLDEST)) return;
  throw new TmpmError("TMUX_TOO_OLD", `tmux ${version} is too old`, {
    hint: `Install tmux ${OLDEST} or newer.`,
    details: { version, oldest: OLDEST },
  });
}

/** Orders `3.2 < 3.2a < 3.10`; `next-3.8` counts as 3.8, and a version without a number (`master`, `openbsd-7.3`) as current. */
export function atLeast(version: string, wanted: string): boolean {
  const have = rank(version);
  const want = rank(wanted);
  if (have === null || want === null) return true;
  const differing = have.findIndex((part, index) => part !== want[index]);
  return differing < 0 || (have[differing] ?? 0) > (want[differing] ?? 0);
}

function rank(version: string): readonly number[] | null {
  const match = /^(?:next-)?(\d+)\.(\d+)([a-z]?)(?:-rc\d*)?$/.exec(version);
  if (match === null) return null;
  const [, major = "", minor = "", letter = ""] = match;
  return [Number(major), Number(minor), letter === "" ? 0 : letter.charCodeAt(0) - 96];
}
