/** The launch parameters of a PTY's holder. */
export interface PtyLaunch {
  /** The path of node-pty's main module. */
  readonly nodePty: string;
  readonly tmuxName: string;
  readonly cwd: string;
  readonly argv: readonly string[];
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  /** Number of output bytes to keep. */
  readonly ringBytes: number;
}

/** Parses a launch file of this package. @throws TypeError for any other */
export function ptyLaunch(value: unknown): PtyLaunch {
  if (typeof value !== "object" || value === null || !("nodePty" in value) || !("argv" in value))
    throw new TypeError("not a launch of a PTY");
  return value as PtyLaunch;
}
