import type { ProcessPlace } from "./files/process-places.js";
import type { WorkspaceStep } from "./worktree/workspace-steps.js";

/** What the workspaces work with. Time, ids and looks at the machine come in from outside. */
export interface WorkspaceContext {
  /** tmpm's data folder. */
  readonly home: string;
  /** The user's home folder, which is never removed. */
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A fresh token, safe as a file's name. */
  readonly newNonce: () => string;
  /** How long a removed workspace can be brought back, in ms. */
  readonly keepMs: number;
  /** Deadline of a clone, of writing a work tree, and of looking through a workspace, in ms. */
  readonly cloneMs: number;
  readonly checkoutMs: number;
  readonly inspectMs: number;
  /** How long git may take for each question about the repository that a workspace is asked from, in ms. */
  readonly lookMs: number;
  /** How long the set-up of a workspace may take as a whole, in ms. */
  readonly setupMs: number;
  /** The working directory of every process that can be seen. @throws when it cannot be determined */
  readonly processPlaces: () => Promise<readonly ProcessPlace[]>;
  /** Where file systems are mounted. */
  readonly mountPoints: () => Promise<readonly string[]>;
  /** Called at every step; tests stop the process here. */
  readonly reached: (step: WorkspaceStep) => Promise<void> | void;
}
