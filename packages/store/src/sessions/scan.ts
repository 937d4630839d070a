import { readdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { hasErrno, Slug } from "@tmpm/core";
import { type FileIdentity, identityOf, isRacy, isSameFile, statOf } from "../durable/file-identity.js";
import type { Changes } from "./catalog.js";
import { type FolderPlace, lookAt, RECORD_SUFFIX, type RecordFile } from "./record-file.js";

export const ARCHIVE = ".archive";

/** The names in a folder when it was last listed. */
export interface KnownFolder extends FolderPlace {
  readonly identity: FileIdentity;
  readonly racy: boolean;
  /** The ids of its files or, for the base, the names of its project folders. */
  readonly names: readonly string[];
  /** Project folders that are symbolic links, which are never followed. */
  readonly links: readonly string[];
}

export interface KnownFolders {
  readonly base: KnownFolder | null;
  readonly folders: ReadonlyMap<string, KnownFolder>;
}

export interface Scan extends Changes<RecordFile> {
  readonly known: KnownFolders;
}

export interface ScanOptions {
  readonly known: KnownFolders;
  readonly byPath: (path: string) => RecordFile | undefined;
  /** The known ids of a folder to check, besides all new ones; null for all, the default. */
  readonly idsIn?: (folder: KnownFolder) => Iterable<string> | null;
  /** Wall clock. */
  readonly nowMs: number;
}

export const NOTHING_KNOWN: KnownFolders = { base: null, folders: new Map() };

/**
 * The changes under `base` since `known`. Costs one stat for each folder and each checked file while nothing changes; lists a folder or
 * reads a file only when its identity changed or may hide a change. Throws when any folder cannot be inspected, so that a failure never
 * reads as an absence.
 */
export function scan(basePath: string, options: ScanOptions): Scan {
  const base = lookAtBase(basePath, options);
  if (base === null) return { known: NOTHING_KNOWN, puts: [], drops: [] };
  const folders = base.names.flatMap((project_id) => lookAtProject(`${basePath}/${project_id}`, { project_id, options }));
  const changed = folders.flatMap((folder) => changedFiles(folder, options));
  const links = linkFiles(base);
  const byFolder = new Map(folders.map((folder) => [folder.path, folder]));
  const gone = [...options.known.folders.values()].filter(({ path }) => !byFolder.has(path));
  return {
    known: { base, folders: byFolder },
    puts: [...changed.flatMap(({ file }) => file ?? []), ...links.filter((link) => options.byPath(link.path) === undefined)],
    drops: [...changed.flatMap(({ path, file }) => (file === null ? [path] : [])), ...gone.flatMap(pathsOf), ...goneLinks(base, options)],
  };
}

/**
 * `known` with a file added to one of its folders without listing it again, so that a later absence is detected; null when the folder is
 * unknown.
 */
export function knownWith(known: KnownFolders, { path, id }: RecordFile): KnownFolders | null {
  const folder = known.folders.get(dirname(path));
  if (folder === undefined) return null;
  if (folder.names.includes(id)) return known;
  return { ...known, folders: new Map(known.folders).set(folder.path, { ...folder, names: [...folder.names, id] }) };
}

/** A base that existed once and is missing now is a failure, not an empty store. */
function lookAtBase(path: string, { known, nowMs }: ScanOptions): KnownFolder | null {
  const place = { path, project_id: "", archived: false };
  try {
    const stat = statSync(path, { bigint: true });
    if (known.base !== null && !known.base.racy && isSameFile(stat, known.base.identity)) return known.base;
    const identity = identityOf(stat);
    const children = readdirSync(path, { withFileTypes: true }).filter((child) => Slug.safeParse(child.name).success);
    const names = children.filter((child) => child.isDirectory()).map((child) => child.name);
    const links = children.filter((child) => child.isSymbolicLink()).map((child) => child.name);
    return { ...place, identity, racy: isRacy(identity, nowMs), names, links };
  } catch (error) {
    if (known.base === null && hasErrno(error, "ENOENT")) return null;
    throw error;
  }
}

/** The live folder before the archive: a record moves only in this direction, so none is missed on its way. */
function lookAtProject(
  path: string,
  { project_id, options }: { readonly project_id: string; readonly options: ScanOptions },
): readonly KnownFolder[] {
  const places = [
    { path, project_id, archived: false },
    { path: `${path}/${ARCHIVE}`, project_id, archived: true },
  ];
  return places.flatMap((place) => lookAtFolder(place, options) ?? []);
}

/** Null for anything but a folder. */
function lookAtFolder(place: FolderPlace, { known, nowMs }: ScanOptions): KnownFolder | null {
  const stat = statOf(place.path);
  if (stat === null || !stat.isDirectory()) return null;
  const before = known.folders.get(place.path);
  if (before !== undefined && !before.racy && isSameFile(stat, before.identity)) return before;
  const names = recordNames(place.path);
  if (names === null) return null;
  const identity = identityOf(stat);
  return { ...place, identity, racy: isRacy(identity, nowMs), names, links: [] };
}

function recordNames(path: string): readonly string[] | null {
  try {
    const names = readdirSync(path).filter((name) => name.endsWith(RECORD_SUFFIX) && !name.startsWith("."));
    return names.map((name) => name.slice(0, -RECORD_SUFFIX.length));
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
}

interface Changed {
  readonly path: string;
  readonly file: RecordFile | null;
}

function changedFiles(folder: KnownFolder, { known, byPath, idsIn, nowMs }: ScanOptions): readonly Changed[] {
  const changed: Changed[] = [];
  const listed = known.folders.get(folder.path);
  const ids = idsIn?.(folder) ?? null;
  for (const id of ids === null ? folder.names : someIds(folder, { ids, isNew: listed !== folder, byPath })) {
    const path = pathIn(folder, id);
    const before = byPath(path);
    const file = lookAt({ path, id, project_id: folder.project_id, archived: folder.archived }, { known: before, nowMs });
    if (file !== before && (file !== null || before !== undefined)) changed.push({ path, file });
  }
  if (listed === undefined || listed === folder) return changed;
  const names = new Set(folder.names);
  return [...changed, ...listed.names.filter((name) => !names.has(name)).map((id) => ({ path: pathIn(folder, id), file: null }))];
}

interface Some {
  readonly ids: Iterable<string>;
  /** Whether its names were just listed. */
  readonly isNew: boolean;
  readonly byPath: ScanOptions["byPath"];
}

/** An id neither known nor listed does not exist. */
function* someIds(folder: KnownFolder, { ids, isNew, byPath }: Some): Generator<string> {
  if (isNew) for (const id of folder.names) if (byPath(pathIn(folder, id)) === undefined) yield id;
  for (const id of ids) if (byPath(pathIn(folder, id)) !== undefined) yield id;
}

function pathIn({ path }: FolderPlace, id: string): string {
  return `${path}/${id}${RECORD_SUFFIX}`;
}

function pathsOf(folder: KnownFolder): readonly string[] {
  return folder.names.map((id) => pathIn(folder, id));
}

function linkFiles(base: KnownFolder): readonly RecordFile[] {
  return base.links.map((name) => {
    const path = `${base.path}/${name}`;
    const reason = "a symbolic link in place of a project folder";
    const entry = { kind: "damaged", id: name, project_id: name, path, reason } as const;
    return { path, id: name, project_id: name, archived: false, identity: null, racyText: null, entry };
  });
}

function goneLinks(base: KnownFolder, { known }: ScanOptions): readonly string[] {
  const before = known.base?.links ?? [];
  return before.filter((name) => !base.links.includes(name)).map((name) => `${base.path}/${name}`);
}
