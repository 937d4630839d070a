import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { hasErrno, TmpmError, temporaryName } from "@tmpm/core";
import { stringify } from "lossless-json";
import { makeFolders } from "../durable/durable-folder.js";
import { storeFailure } from "../durable/store-failure.js";
import { nodeWriteCalls as calls, syncFolder, writeDurably } from "../durable/write-durably.js";
import type { ForeignExport } from "./foreign-files.js";
import { yamlText } from "./parse-yaml.js";

const REGISTRY = "session_registry.json";

/**
 * Writes sessions in the form of another program: a new file for trusty-mpm, a new folder for ao-rs and swimmers. All or nothing is
 * written, durably.
 * @throws TARGET_EXISTS for an existing target, DIRECTORY_NOT_FOUND for a missing parent folder, and the errors of a write
 */
export async function writeForeign(path: string, sessions: ForeignExport): Promise<void> {
  requireFree(path, sessions.to);
  const temporary = join(dirname(path), temporaryName(basename(path), { pid: process.pid, token: randomBytes(8).toString("hex") }));
  let placed = false;
  try {
    if (sessions.to === "trusty-mpm") {
      await writeDurably(temporary, { calls, text: `${stringify(sessions.document, undefined, 2)}` });
      linkSync(temporary, path);
    } else {
      await (sessions.to === "swimmers" ? fillSwimmers(temporary, sessions.registry) : fill(temporary, sessions.files));
      // Replaces only an empty folder.
      renameSync(temporary, path);
    }
    placed = true;
    await syncFolder(dirname(path), calls);
  } catch (error) {
    if (hasErrno(error, "EEXIST", "ENOTEMPTY", "ENOTDIR")) throw taken(path);
    throw storeFailure(error, { doing: "cannot export", path, effect: placed ? "unknown" : "none" });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Whether an export to this path could be written. @throws like `writeForeign` */
export function requireFree(path: string, to: ForeignExport["to"]): void {
  if (!isAbsolute(path) || path.includes("\0")) {
    throw new TmpmError("INVALID_ARGUMENT", "the path must be absolute", { details: { field: "path", path } });
  }
  try {
    if (!lstatSync(dirname(path)).isDirectory()) throw missingParent(path);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (to === "trusty-mpm" || !stat.isDirectory() || readdirSync(path).length > 0) throw taken(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) throw missingParent(path);
    throw storeFailure(error, { doing: "cannot export", path });
  }
}

/** Without the checksummed envelope, which not every release reads (swimmers 1.4). */
async function fillSwimmers(folder: string, registry: readonly unknown[]): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  await writeDurably(join(folder, REGISTRY), { calls, text: `${stringify(registry, undefined, 2)}` });
}

async function fill(folder: string, files: Extract<ForeignExport, { to: "ao-rs" }>["files"]): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  await makeFolders(join(folder, "sessions"), calls);
  for (const { file, document } of files) {
    const path = join(folder, file);
    if (!path.startsWith(`${folder}/`)) throw new TypeError(`${file} is outside the folder`);
    await makeFolders(dirname(path), calls);
    await writeDurably(path, { calls, text: yamlText(document) });
  }
}

function taken(path: string): TmpmError {
  return new TmpmError("TARGET_EXISTS", `${path} already exists`, {
    details: { path },
    hint: "An export writes a new file, or a new or empty folder; choose another path.",
  });
}

function missingParent(path: string): TmpmError {
  return new TmpmError("DIRECTORY_NOT_FOUND", `the folder ${dirname(path)} does not exist`, { details: { path } });
}
