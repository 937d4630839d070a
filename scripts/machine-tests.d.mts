export const MACHINE: readonly string[];
