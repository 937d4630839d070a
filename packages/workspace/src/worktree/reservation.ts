import { basename, dirname, join } from "node:path";

/** Beside a workspace from before its first file until its last: what lies there then is an unfinished work of ours, in which nobody worked yet. */
export function reservationPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.making`);
}
