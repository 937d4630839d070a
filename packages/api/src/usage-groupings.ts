/** Values of `by` in a usage request. */
export const USAGE_GROUPINGS = ["session", "project", "agent", "day"] as const;
