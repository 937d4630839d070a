export interface SeedRequest {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user has said that `cwd` may be trusted; without it no file is seeded that says so. */
  readonly trust: boolean;
}

/** A configuration file of the user's and what it should say besides what it says already. */
export interface SeedFile {
  /** Absolute. */
  readonly path: string;
  /**
   * The next text, given the current one (null when there is no file); null when nothing is to change. Never overwrites what the user has
   * set. @throws INVALID_ARGUMENT for a file that cannot be read as what it should be
   */
  merge(current: string | null): string | null;
}
