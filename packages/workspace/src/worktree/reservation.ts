import { basename, dirname, join } from "node:path";

/** Beside a workspace from before its first file until its last: what lies there then is an unfinished workspace of ours, not used yet. */
export function reservationPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.making`);
}
