import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { TmpmError } from "@tmpm/core";
import { readBounded } from "../durable/read-bounded.js";
import type { AoDocument, ForeignContent, ForeignDocument, ForeignFiles } from "./foreign-files.js";
import { type FolderItem, kindOf, listFolder } from "./list-folder.js";
import { parseYaml } from "./parse-yaml.js";

const MAX_YAML_BYTES = 256 * 1024;
const MAX_FILES = 50_000;
const SESSIONS = "sessions";
const ARCHIVE = ".archive";
const EXTENSION = ".yaml";

interface Found {
  readonly sessions: readonly Omit<AoDocument, "readable" | "document" | "reason">[];
  readonly unreadable: readonly ForeignDocument[];
}

/**
 * The sessions of an ao-rs data folder, or of its folder `sessions`, active and archived (ao-rs 1.10), by project and name. An unreadable
 * one does not hide others.
 */
export async function readAo(path: string): Promise<Extract<ForeignFiles, { from: "ao-rs" }>> {
  const base = basename(path) === SESSIONS ? path : join(path, SESSIONS);
  if (kindOf(base) !== "folder") {
    throw new TmpmError("INVALID_ARGUMENT", `${path} has no folder named sessions`, {
      details: { field: "path", path },
      hint: "Give the data folder of ao-rs, ~/.ao-rs by default.",
    });
  }
  const { sessions, unreadable } = filesBelow(base);
  if (sessions.length > MAX_FILES) {
    throw new TmpmError("INVALID_ARGUMENT", `there are more than ${MAX_FILES} sessions in ${base}`, { details: { field: "path", path } });
  }
  const documents: AoDocument[] = [];
  for (const session of sessions) {
    documents.push({ ...session, ...readYaml(session.source) });
    // A large folder takes a while; other requests are served in between.
    await setImmediate();
  }
  return { from: "ao-rs", sessions: documents, unreadable };
}

/** The files that ao-rs lists: those ending in `.yaml` in every real folder. */
function filesBelow(base: string): Found {
  const projects = entriesOf(base);
  const found = projects.entries.map(({ name, kind }): Found => {
    const folder = join(base, name);
    if (kind === "folder") return filesOf(folder, name);
    return { sessions: [], unreadable: kind === "link" ? [refused(folder, "a symbolic link")] : [] };
  });
  return {
    sessions: found.flatMap(({ sessions }) => sessions),
    unreadable: [...projects.unreadable, ...found.flatMap(({ unreadable }) => unreadable)],
  };
}

function filesOf(folder: string, project_id: string): Found {
  const active = entriesOf(folder);
  const archive = join(folder, ARCHIVE);
  const kept = active.entries.some(({ name, kind }) => name === ARCHIVE && kind === "folder") ? entriesOf(archive) : NOTHING;
  const named = (entries: readonly FolderItem[], { within, archived }: { readonly within: string; readonly archived: boolean }) =>
    entries
      .filter(({ name, kind }) => name.endsWith(EXTENSION) && name !== EXTENSION && kind !== "folder")
      .map(({ name }) => ({ source: join(within, name), project_id, id: name.slice(0, -EXTENSION.length), archived }));
  return {
    sessions: [...named(active.entries, { within: folder, archived: false }), ...named(kept.entries, { within: archive, archived: true })],
    unreadable: [...active.unreadable, ...kept.unreadable],
  };
}

const NOTHING = { entries: [], unreadable: [] };

function entriesOf(folder: string): { readonly entries: readonly FolderItem[]; readonly unreadable: readonly ForeignDocument[] } {
  const listing = listFolder(folder);
  return listing.readable ? { entries: listing.entries, unreadable: [] } : { entries: [], unreadable: [refused(folder, listing.reason)] };
}

function refused(source: string, reason: string): ForeignDocument {
  return { source, readable: false, reason };
}

function readYaml(path: string): ForeignContent {
  const content = readBounded(path, { maxBytes: MAX_YAML_BYTES });
  if (content.kind === "text") return parseYaml(content.text);
  return { readable: false, reason: content.kind === "absent" ? "it is gone" : content.reason };
}
