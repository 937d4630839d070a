import { dirname } from "node:path";
import type { Operation } from "./operation.js";

/** The bytes of a file that are certainly on the disk, and those that a program would read now. */
export interface FileBytes {
  readonly file: number;
  /** Index of this content among the contents of the file. */
  readonly version: number;
  readonly durable: Buffer;
  readonly current: Buffer;
}

/** A name that is created, removed or replaced, atomically. */
export interface NameChange {
  /** The folder whose fsync makes it durable. */
  readonly folder: string;
  readonly removed: string | null;
  readonly put: { readonly path: string; readonly node: Node } | null;
}

/** The target of a name: the number of a file, or a folder. */
export type Node = number | "folder";

/** A disk between two operations: the state that survives a power loss, and the changes that may be lost. */
export interface Disk {
  readonly names: ReadonlyMap<string, Node>;
  /** In the order of creation. Each of them may be lost, alone or with others. */
  readonly pending: readonly NameChange[];
  readonly files: ReadonlyMap<number, FileBytes>;
}

export const EMPTY_DISK: Disk = { names: new Map(), pending: [], files: new Map() };

/** The disk after one more operation. Markers do not change it. */
export function diskAfter(disk: Disk, operation: Operation): Disk {
  switch (operation.type) {
    case "mkdir":
      return withChange(disk, named(operation.path, "folder"));
    case "create":
      return withChange(withFile(disk, empty(operation.file)), named(operation.path, operation.file));
    case "truncate":
      return truncated(disk, operation);
    case "unlink":
      return withChange(disk, { folder: dirname(operation.path), removed: operation.path, put: null });
    case "rename":
      return withChange(disk, renamed(disk, operation));
    case "write": {
      const before = fileOf(disk, operation.file);
      return withFile(disk, { ...before, version: before.version + 1, current: Buffer.concat([before.current, operation.bytes]) });
    }
    case "sync": {
      const before = fileOf(disk, operation.file);
      return withFile(disk, { ...before, version: before.version + 1, durable: before.current });
    }
    case "sync-folder":
      return synced(disk, operation.path);
    case "begin":
    case "acknowledge":
      return disk;
  }
}

/** The names after the changes; later changes win. */
export function namesAfter(names: ReadonlyMap<string, Node>, changes: readonly NameChange[]): Map<string, Node> {
  const after = new Map(names);
  for (const { removed, put } of changes) {
    if (removed !== null) after.delete(removed);
    if (put !== null) after.set(put.path, put.node);
  }
  return after;
}

export function fileOf({ files }: Disk, file: number): FileBytes {
  const found = files.get(file);
  if (found === undefined) throw new TypeError(`file ${file} was never created`);
  return found;
}

function empty(file: number): FileBytes {
  return { file, version: 0, durable: Buffer.alloc(0), current: Buffer.alloc(0) };
}

function named(path: string, node: Node): NameChange {
  return { folder: dirname(path), removed: null, put: { path, node } };
}

/** Local file systems rename in one step, also between two folders. */
function renamed(disk: Disk, { from, to }: { readonly from: string; readonly to: string }): NameChange {
  const node = namesAfter(disk.names, disk.pending).get(from);
  if (node === undefined) throw new TypeError(`${from} is not there to be renamed`);
  return { folder: dirname(to), removed: from, put: { path: to, node } };
}

/** An existing file loses its bytes at once; they stay on the disk until the truncation reaches the disk. */
function truncated(disk: Disk, { path, file }: { readonly path: string; readonly file: number }): Disk {
  const node = namesAfter(disk.names, disk.pending).get(path);
  if (typeof node !== "number") return withChange(withFile(disk, empty(file)), named(path, file));
  const { current } = fileOf(disk, node);
  return withChange(withFile(disk, { ...empty(file), durable: current }), named(path, file));
}

function synced(disk: Disk, path: string): Disk {
  const names = namesAfter(
    disk.names,
    disk.pending.filter(({ folder }) => folder === path),
  );
  return { ...disk, names, pending: disk.pending.filter(({ folder }) => folder !== path) };
}

function withChange(disk: Disk, change: NameChange): Disk {
  return { ...disk, pending: [...disk.pending, change] };
}

function withFile(disk: Disk, bytes: FileBytes): Disk {
  return { ...disk, files: new Map(disk.files).set(bytes.file, bytes) };
}
