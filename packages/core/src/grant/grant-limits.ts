/** The sessions that a session may act on, from fewest to most: its descendants, its project, all. */
export const REACHES = ["tree", "project", "all"] as const;

/** The limits of a grant, with their defaults. */
export const GRANT_LIMITS = {
  /** Generations below the holder: 1 allows children that start none. */
  depth: { most: 8, usual: 1 },
  /** Maximum number of children running at once. */
  children: { most: 64, usual: 4 },
  /** Maximum number of sessions ever started in the lineage. */
  lineage: { most: 256, usual: 16 },
  sends_per_hour: { most: 3600, usual: 30 },
} as const;
export type GrantLimit = keyof typeof GRANT_LIMITS;
