/** What a holder of a PTY is started with. */
export interface PtyLaunch {
  /** Where node-pty is: the path of its main module. */
  readonly nodePty: string;
  readonly tmuxName: string;
  readonly cwd: string;
  readonly argv: readonly string[];
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  /** Bytes of output that are kept. */
  readonly ringBytes: number;
}

/** The launch file was written by this package. @throws TypeError for one that was not */
export function ptyLaunch(value: unknown): PtyLaunch {
  if (typeof value !== "object" || value === null || !("nodePty" in value) || !("argv" in value)) throw new TypeError("no launch of a PTY");
  return value as PtyLaunch;
}
