import { mkdirSync, statSync } from "node:fs";
import { hasErrno } from "@tmpm/core";
import { type HolderFacts, writeFacts } from "./holder-facts.js";
import { socketPath } from "./holder-folder.js";
import type { HolderServer } from "./holder-server.js";

export interface FoundOptions {
  readonly folder: string;
  readonly facts: HolderFacts;
  /** Called when the folder of all holders is gone: no client can connect any more. */
  readonly lost: () => Promise<unknown>;
  /** Interval of the checks, in ms. */
  readonly everyMs: number;
}

/** Keeps the holder reachable: a removed folder or socket is recreated. Returns a function that ends that. */
export function stayFound(server: HolderServer, options: FoundOptions): () => void {
  let busy = false;
  const look = async () => {
    if (busy) return;
    busy = true;
    // A file that cannot be created now (the disk is full, its path is blocked) is retried at the next check: this does not end the
    // session.
    await beFound(server, options).catch(() => undefined);
    busy = false;
  };
  const timer = setInterval(() => void look(), options.everyMs);
  return () => clearInterval(timer);
}

async function beFound(server: HolderServer, { folder, facts, lost }: FoundOptions): Promise<void> {
  if (exists(socketPath(folder))) return;
  try {
    if (!exists(folder)) mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
    await lost();
    return;
  }
  writeFacts(folder, facts);
  await server.listen(socketPath(folder));
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
