import type { ProcessPlace } from "./files/process-places.js";
import type { WorkspaceStep } from "./worktree/workspace-steps.js";

/** The dependencies of workspaces: time, ids and observations of the machine. */
export interface WorkspaceContext {
  /** tmpm's data folder. */
  readonly home: string;
  /** The user's home folder, which is never removed. */
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A fresh token, valid as a file name. */
  readonly newNonce: () => string;
  /** How long a removed workspace can be restored, in ms. */
  readonly keepMs: number;
  /** Timeout of a clone, a checkout and a scan of a workspace, in ms. */
  readonly cloneMs: number;
  readonly checkoutMs: number;
  readonly inspectMs: number;
  /** Timeout of each git query about the source repository, in ms. */
  readonly lookMs: number;
  /** Timeout of a workspace's whole setup, in ms. */
  readonly setupMs: number;
  /** The working directory of every visible process. @throws when it cannot be determined */
  readonly processPlaces: () => Promise<readonly ProcessPlace[]>;
  /** The mount points of file systems. */
  readonly mountPoints: () => Promise<readonly string[]>;
  /** Called at every step; tests stop the process here. */
  readonly reached: (step: WorkspaceStep) => Promise<void> | void;
}
