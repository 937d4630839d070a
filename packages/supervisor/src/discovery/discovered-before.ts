/** An agent that runs outside everything that tmpm controls. */
export interface NativeAgent {
  readonly pid: number;
  readonly agent: string;
  readonly cwd: string | null;
}

/** Earlier discoveries, so that each is reported once. */
export interface DiscoveredBefore {
  /** Time of the last discovery, in ms since 1970; 0 before the first. */
  at(): number;
  count(): number;
  /** The agents outside every host in the last discovery. */
  natives(): readonly NativeAgent[];
  /** Stores the keys of a whole discovery, and returns the new ones. */
  replace(found: { readonly keys: readonly string[]; readonly natives: readonly NativeAgent[] }, nowMs: number): ReadonlySet<string>;
}

export function discoveredBefore(): DiscoveredBefore {
  let before: ReadonlySet<string> = new Set();
  let natives: readonly NativeAgent[] = [];
  let lastMs = 0;
  return {
    at: () => lastMs,
    count: () => before.size,
    natives: () => natives,
    replace(found, nowMs) {
      const fresh = new Set(found.keys.filter((key) => !before.has(key)));
      before = new Set(found.keys);
      natives = found.natives;
      lastMs = nowMs;
      return fresh;
    },
  };
}
