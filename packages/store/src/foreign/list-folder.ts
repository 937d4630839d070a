import { lstatSync, readdirSync } from "node:fs";
import { errnoOf } from "@tmpm/core";
import { isShortage } from "../durable/store-failure.js";

export type Kind = "absent" | "file" | "folder" | "link" | "other";

/** The kind of file at a path, without following a symbolic link. Throws only when it cannot be inspected. */
export function kindOf(path: string): Kind {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "absent";
  if (stat.isSymbolicLink()) return "link";
  if (stat.isDirectory()) return "folder";
  return stat.isFile() ? "file" : "other";
}

export interface FolderItem {
  readonly name: string;
  readonly kind: Exclude<Kind, "absent">;
}

export type Listing =
  | { readonly readable: true; readonly entries: readonly FolderItem[] }
  | { readonly readable: false; readonly reason: string };

/** The entries of a folder by name. Throws only when the machine ran short. */
export function listFolder(path: string): Listing {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    const named = entries.map((entry): FolderItem => {
      if (entry.isSymbolicLink()) return { name: entry.name, kind: "link" };
      if (entry.isDirectory()) return { name: entry.name, kind: "folder" };
      return { name: entry.name, kind: entry.isFile() ? "file" : "other" };
    });
    return { readable: true, entries: named.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null || isShortage(error)) throw error;
    return { readable: false, reason: `cannot be read (${errno})` };
  }
}
