import { lstatSync, type Stats } from "node:fs";
import { dirname, relative } from "node:path";
import { DOCUMENT_FOLDERS, faultOfFile } from "@tmpm/api/local";
import { MOST_DOCUMENT_BYTES } from "@tmpm/core";
import { fail, type LocalFinding, ok, type Place } from "./local-finding.js";
import { ownFiles } from "./own-files.js";

const NAME = "shapes";
const MIB = 1024 * 1024;

/** tmpm's regular files by path below the data folder, with their maximum sizes. */
const FILES: readonly (readonly [path: RegExp, maxBytes: number])[] = [
  [/^daemon\.log(?:\.\d)?$/, 64 * MIB],
  [/^daemon\.lock$/, MIB],
  [/^audit\/audit(?:-\d+)?\.jsonl$/, 64 * MIB],
  [/^events\/events-\d+-\d+\.jsonl$/, 8 * MIB],
  [/^hooks\/report$/, MIB],
  [/^hooks\/[^/]+\/token\.sha256$/, MIB],
  [new RegExp(`^(?:${DOCUMENT_FOLDERS.join("|")})/[^/.]+\\.json$`), MOST_DOCUMENT_BYTES],
  [/^(?:sends|turns)\/[^/]+\/[^/]+\.(?:json|text)$/, 16 * MIB],
  [/^tmux\/tmux\.conf$/, MIB],
];

/** Whether each of tmpm's files is a regular file of the user, with one link, and within its maximum size. */
export async function shapes({ location: { home }, uid }: Place): Promise<readonly LocalFinding[]> {
  const found = ownFiles(home).flatMap(({ path, stats }) => {
    const [, maxBytes] = FILES.find(([name]) => name.test(relative(home, path))) ?? [];
    return maxBytes === undefined ? [] : [{ path, fault: faultOf(stats, { uid, maxBytes }) }];
  });
  const wrong = found.flatMap(({ path, fault }) => (fault === null ? [] : [{ path, fault }]));
  if (wrong.length === 0) return [ok(NAME, `${found.length} files, all regular and of normal size`)];
  return wrong.map(({ path, fault }) => fail(NAME, { message: `${path} ${fault}`, hint: `Move it aside: mv ${path} ${asideOf(path)}` }));
}

function faultOf(stats: Stats, { uid, maxBytes }: { readonly uid: number; readonly maxBytes: number }): string | null {
  return faultOfFile(stats, uid) ?? (stats.size > maxBytes ? `is larger than ${maxBytes / MIB} MiB` : null);
}

/** Next to the folder, outside any path that tmpm reads. */
function asideOf(path: string): string {
  const aside = `${path}.aside`;
  return lstatSync(aside, { throwIfNoEntry: false }) === undefined ? aside : `${dirname(path)}/aside-${Date.now()}`;
}
