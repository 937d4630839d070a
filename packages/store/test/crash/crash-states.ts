import { dirname } from "node:path";
import { type Disk, diskAfter, EMPTY_DISK, type FileBytes, fileOf, type Node, namesAfter } from "./disk.js";
import type { Operation } from "./operation.js";

/** A state after a crash: the named files, each with one of its possible contents. */
export interface CrashState {
  /** Number of operations done. */
  readonly after: number;
  /** A killed process keeps all of its writes; a power loss drops any part of the unsynced ones. */
  readonly crash: "kill" | "power loss";
  readonly folders: readonly string[];
  readonly files: readonly CrashedFile[];
}

export interface CrashedFile {
  readonly path: string;
  /** Equal for equal bytes of the same file. */
  readonly key: string;
  readonly bytes: Buffer;
}

export interface CrashOptions {
  /** A folder that exists from the start; all paths are below it. */
  readonly root: string;
  /** If there are more states than this between two operations, this many are drawn. */
  readonly limit: number;
  /** Between 0 and 1. */
  readonly random: () => number;
}

/** The possible states of the disk after a crash during these operations. */
export function* crashStates(log: readonly Operation[], options: CrashOptions): Generator<CrashState> {
  let disk: Disk = { ...EMPTY_DISK, names: new Map([[options.root, "folder"]]) };
  for (let after = 0; after <= log.length; after++) {
    yield* killStates(disk, { after, next: log[after] });
    yield* powerLossStates(disk, { after, ...options });
    const operation = log[after];
    if (operation !== undefined) disk = diskAfter(disk, operation);
  }
}

/** All completed operations are applied; of a write in progress, any part. */
function* killStates(disk: Disk, { after, next }: { readonly after: number; readonly next: Operation | undefined }): Generator<CrashState> {
  const named = reachable(namesAfter(disk.names, disk.pending));
  const now = (file: number) => ({ version: "now", bytes: fileOf(disk, file).current });
  yield stateOf(named, { after, crash: "kill", contents: now });
  if (next?.type !== "write") return;
  for (const cut of cutsOf(next.bytes.length)) {
    const torn = {
      version: `cut ${cut} of ${after}`,
      bytes: Buffer.concat([fileOf(disk, next.file).current, next.bytes.subarray(0, cut)]),
    };
    yield stateOf(named, { after, crash: "kill", contents: (file) => (file === next.file ? torn : now(file)) });
  }
}

/** Any of the changed names may be lost, and each unsynced file may have every kind of partial content, in all combinations. */
function* powerLossStates(disk: Disk, { after, limit, random }: { readonly after: number } & CrashOptions): Generator<CrashState> {
  const unsynced = unsyncedFiles(disk);
  const subsets = 2 ** disk.pending.length;
  const named = new Map<number, Named>();
  for (const choice of choices([subsets, ...unsynced.map((bytes) => remainsOf(bytes).length)], { limit, random })) {
    const [subset = 0, ...rests] = choice;
    const here = named.get(subset) ?? reachable(namesAfter(disk.names, subsetOf(disk.pending, subset)));
    named.set(subset, here);
    const contents = (file: number) => {
      const bytes = fileOf(disk, file);
      const index = rests[unsynced.indexOf(bytes)] ?? 0;
      return { version: `${bytes.version}.${index}`, bytes: remainsOf(bytes)[index] ?? bytes.current };
    };
    yield stateOf(here, { after, crash: "power loss", contents });
  }
}

function subsetOf<T>(all: readonly T[], bits: number): readonly T[] {
  return all.filter((_, index) => Math.floor(bits / 2 ** index) % 2 === 0);
}

/** All combinations of one number below each radix; if there are too many, distinct ones from the whole range. */
function* choices(
  radices: readonly number[],
  { limit, random }: { readonly limit: number; readonly random: () => number },
): Generator<readonly number[]> {
  const total = radices.reduce((product, radix) => product * radix, 1);
  const count = Math.min(total, limit);
  for (let drawn = 0; drawn < count; drawn++) {
    let rest = count === total ? drawn : Math.floor(((drawn + random()) * total) / count);
    yield radices.map((radix) => {
      const digit = rest % radix;
      rest = Math.floor(rest / radix);
      return digit;
    });
  }
}

function unsyncedFiles(disk: Disk): readonly FileBytes[] {
  const named = new Set([...disk.names.values(), ...disk.pending.map(({ put }) => put?.node)]);
  return [...disk.files.values()].filter(({ file, durable, current }) => named.has(file) && !durable.equals(current));
}

const remains = new WeakMap<FileBytes, readonly Buffer[]>();

/**
 * The possible contents of an unsynced file after a power loss: all, nothing, truncated, zeros in place of any end or beginning, new bytes
 * over old.
 */
function remainsOf(bytes: FileBytes): readonly Buffer[] {
  const known = remains.get(bytes);
  if (known !== undefined) return known;
  const { durable, current } = bytes;
  const zeros = Buffer.alloc(current.length);
  const torn = cutsOf(current.length).flatMap((cut) => {
    const [head, tail] = [current.subarray(0, cut), current.subarray(cut)];
    const mixed = durable.length > cut ? [Buffer.concat([head, durable.subarray(cut)])] : [];
    return [head, Buffer.concat([head, zeros.subarray(cut)]), Buffer.concat([zeros.subarray(0, cut), tail]), ...mixed];
  });
  const all = durable.equals(current) ? [current] : [current, durable, zeros, ...torn];
  remains.set(bytes, all);
  return all;
}

/** One of each class: the first byte, the middle, every sector, all but the last byte. */
function cutsOf(length: number): readonly number[] {
  const sectors = Array.from({ length: Math.floor(length / 512) }, (_, index) => (index + 1) * 512);
  return [...new Set([1, length >> 1, ...sectors, length - 1])].filter((cut) => cut > 0 && cut < length);
}

interface Named {
  readonly folders: readonly string[];
  readonly files: readonly { readonly path: string; readonly file: number }[];
}

/** A name is lost with its folder. */
function reachable(names: ReadonlyMap<string, Node>): Named {
  const kept = [...names].filter(([path]) => isReachable(path, names)).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    folders: kept.flatMap(([path, node]) => (node === "folder" ? [path] : [])),
    files: kept.flatMap(([path, file]) => (file === "folder" ? [] : [{ path, file }])),
  };
}

function isReachable(path: string, names: ReadonlyMap<string, Node>): boolean {
  const parent = dirname(path);
  if (names.has(parent)) return isReachable(parent, names);
  return [...names.keys()].every((name) => name.startsWith(path));
}

interface Rest {
  readonly after: number;
  readonly crash: CrashState["crash"];
  readonly contents: (file: number) => { readonly version: string; readonly bytes: Buffer };
}

function stateOf({ folders, files }: Named, { after, crash, contents }: Rest): CrashState {
  const crashed = files.map(({ path, file }) => {
    const { version, bytes } = contents(file);
    return { path, key: `${file}:${version}`, bytes };
  });
  return { after, crash, folders, files: crashed };
}
