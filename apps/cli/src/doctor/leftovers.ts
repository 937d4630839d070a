import { lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { temporaryOwner } from "@tmpm/core/temporary-name";
import { isAlive } from "../daemon/process-alive.js";
import { readIfThere } from "../system/read-if-there.js";
import { type LocalFinding, ok, type Place, warn } from "./local-finding.js";
import { ownFiles } from "./own-files.js";

const NAME = "leftovers";
/** Minimum age; files still being written are younger. */
const OLD_MS = 3_600_000;

/** Leftovers of dead processes: unfinished files, the daemon start lock, folders of a killed doctor. */
export async function leftovers({ location: { home, socket }, uid }: Place): Promise<readonly LocalFinding[]> {
  const found = [
    ...ownFiles(home).filter(({ name, path, stats }) => stats.isFile() && isLeft(name, { folder: basename(dirname(path)), stats })),
    ...abandonedTurn(join(dirname(socket), "starting")),
    ...abandonedFolders(uid),
  ].map(({ path }) => path);
  if (found.length === 0) return [ok(NAME, "no temporary files of dead processes")];
  return [
    warn(NAME, {
      message: `${found.length} temporary files of dead processes, such as ${found[0]}`,
      hint: "They are harmless; `tmpm doctor --fix` removes them.",
      cure: async () => {
        for (const path of found) rmSync(path, { recursive: true, force: true });
        return `removed ${found.join(", ")}`;
      },
    }),
  ];
}

function isLeft(name: string, { folder, stats }: { readonly folder: string; readonly stats: Stats }): boolean {
  const owner = temporaryOwner(name);
  if (owner !== null) return !isAlive(owner);
  return folder === "tmux" && /^(launch|text)-/.test(name) && Date.now() - stats.mtimeMs > OLD_MS;
}

function abandonedTurn(path: string): readonly { readonly path: string }[] {
  const holder = Number(readIfThere(path) ?? "0");
  return holder > 0 && !isAlive(holder) ? [{ path }] : [];
}

function abandonedFolders(uid: number): readonly { readonly path: string }[] {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith("tmpm-utf8-"));
  return names
    .map((name) => ({ path: join(tmpdir(), name) }))
    .filter(({ path }) => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats?.isDirectory() === true && stats.uid === uid && Date.now() - stats.mtimeMs > OLD_MS;
    });
}
