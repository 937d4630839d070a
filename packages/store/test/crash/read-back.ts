import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { hasCode } from "@tmpm/core";
import { expect } from "vitest";
import type { Entry, SessionStore } from "../../src/store.js";
import type { ScratchFolder } from "../scratch-folder.js";
import type { CrashState } from "./crash-states.js";

/** The store's result: the outcome for each id; unknown ids are absent. */
export type Found = ReadonlyMap<string, string>;

export interface ReaderOptions {
  /** The parent folder of the states. */
  readonly root: string;
  /** Opens a store in a folder with the content below `root`. */
  readonly open: (root: string) => SessionStore;
  /** For the folders in which states are created. */
  readonly scratch: ScratchFolder;
}

/** Writes a state to a real disk and reads it with a real store: once for all states that differ only in parts that no reader uses. */
export function stateReader({ root, open, scratch }: ReaderOptions): (state: CrashState) => Promise<Found> {
  const known = new Map<string, Promise<Found>>();

  async function readAt(folder: string, state: CrashState): Promise<Found> {
    mkdirSync(folder);
    for (const path of state.folders) mkdirSync(join(folder, relative(root, path)), { recursive: true });
    for (const { path, bytes } of state.files) writeFileSync(join(folder, relative(root, path)), bytes);
    const store = open(folder);
    try {
      const entries = await store.list({ archived: true });
      await store.close();
      expect(store.health()).toEqual({ state: "ok" });
      const found = new Map<string, string>();
      for (const entry of entries) {
        const id = entry.kind === "session" ? entry.record.id : entry.id;
        found.set(id, found.has(id) ? "there twice" : outcomeOf(entry));
      }
      return found;
    } catch (error) {
      if (!hasCode(error, "STORE_DEGRADED")) throw error;
      return new Map([["the whole store", `damaged: ${error.message}`]]);
    }
  }

  return (state) => {
    const key = visibleKey(state);
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = readAt(join(scratch.path, String(known.size)), state);
    known.set(key, found);
    return found;
  };
}

export function outcomeOf(entry: Entry): string {
  if (entry.kind !== "session") return `${entry.kind}: ${entry.reason}`;
  return `${entry.archived ? "archived" : "live"} ${JSON.stringify(entry.record)}`;
}

/** Temporary files are hidden from readers; only their existence counts. Paths are sorted. */
function visibleKey({ folders, files }: CrashState): string {
  let key = folders.join("\n");
  let temporary = false;
  for (const file of files) {
    if (file.path.endsWith(".tmp")) temporary = true;
    else key += `\n${file.path}=${file.key}`;
  }
  return `${key}\n${temporary}`;
}
