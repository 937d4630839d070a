import { basename, dirname, join } from "node:path";

/** Exists beside a workspace from before its first file until its last: meanwhile it is an unfinished workspace of ours, not used yet. */
export function reservationPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.making`);
}
