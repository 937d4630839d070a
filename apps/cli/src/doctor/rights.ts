import { chmodSync, lstatSync } from "node:fs";
import { fail, type LocalFinding, ok, type Place } from "./local-finding.js";
import { ownFiles } from "./own-files.js";

const NAME = "rights";

/** Whether all of tmpm's files belong to the user and are closed to others. */
export async function rights({ location: { home }, uid }: Place): Promise<readonly LocalFinding[]> {
  const files = ownFiles(home).filter(({ stats }) => !stats.isSymbolicLink());
  const foreign = files.find(({ stats }) => stats.uid !== uid);
  if (foreign !== undefined) {
    const message = `${foreign.path} belongs to user ${foreign.stats.uid}`;
    return [fail(NAME, { message, hint: `Another user started a daemon here: sudo chown -R $(id -u) ${home}` })];
  }
  const open = files.filter(({ stats }) => (stats.mode & 0o077) !== 0).map(({ path }) => path);
  if (open.length === 0) return [ok(NAME, `${files.length} files and folders, none open to other users`)];
  return [
    fail(NAME, {
      message: `${open.length} of ${files.length} are open to other users, such as ${open[0]}`,
      hint: `chmod -R go-rwx ${home}`,
      cure: async () => {
        for (const path of open) close(path);
        return `removed other users' access to ${open.length} files and folders`;
      },
    }),
  ];
}

function close(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isSymbolicLink()) chmodSync(path, stats.mode & 0o700);
}
