export interface SeedRequest {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user trusts `cwd`; otherwise no file that grants trust is seeded. */
  readonly trust: boolean;
}

/** A user's configuration file, and the settings to add to it. */
export interface SeedFile {
  /** Absolute. */
  readonly path: string;
  /**
   * The next text, given the current one (null for a missing file); null when unchanged. Never overwrites the user's settings. @throws
   * INVALID_ARGUMENT for a file that cannot be parsed
   */
  merge(current: string | null): string | null;
}
