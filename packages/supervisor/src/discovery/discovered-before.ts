/** An agent that runs in nothing that tmpm could control. */
export interface NativeAgent {
  readonly pid: number;
  readonly agent: string;
  readonly cwd: string | null;
}

/** What was discovered earlier, so that each is reported once. */
export interface DiscoveredBefore {
  /** Of the last discovery, in ms since 1970; 0 before the first. */
  at(): number;
  count(): number;
  /** The agents of the last discovery that run outside every host. */
  natives(): readonly NativeAgent[];
  /** Takes the keys of a whole discovery, and returns those that were not in the one before. */
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
