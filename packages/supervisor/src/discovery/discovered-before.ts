/** What was discovered earlier, so that each find is told of once. */
export interface DiscoveredBefore {
  /** Of the last discovery, in ms since 1970; 0 before the first. */
  at(): number;
  count(): number;
  /** Takes the keys of a whole discovery, and returns those that were not in the one before. */
  replace(keys: readonly string[], nowMs: number): ReadonlySet<string>;
}

export function discoveredBefore(): DiscoveredBefore {
  let before: ReadonlySet<string> = new Set();
  let lastMs = 0;
  return {
    at: () => lastMs,
    count: () => before.size,
    replace(keys, nowMs) {
      const fresh = new Set(keys.filter((key) => !before.has(key)));
      before = new Set(keys);
      lastMs = nowMs;
      return fresh;
    },
  };
}
