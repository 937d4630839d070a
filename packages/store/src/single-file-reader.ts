import { dirname } from "node:path";
import { TmpmError } from "@tmpm/core";
import type { CopyFolder } from "./durable/copy-folder.js";
import { type FileIdentity, identityOf, isRacy, isSameFile, statOf } from "./durable/file-identity.js";
import { readBounded } from "./durable/read-bounded.js";
import { reloadFailure } from "./durable/store-failure.js";
import type { ItemCodec, SessionItem } from "./session-item.js";
import { distinctItems, itemsOf } from "./session-items.js";
import { type Catalog, catalog } from "./sessions/catalog.js";
import { NO_SESSIONS, readSessions, type SessionsText } from "./sessions-text.js";
import type { Health } from "./store.js";

/** The largest sessions file that is read or written, in bytes. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The records of a sessions file, reloaded on changes by any process. */
export interface SingleFileReader {
  readonly catalog: Catalog<SessionItem>;
  /** Like `DirectoryReader.reload`. @throws STORE_DEGRADED on failure before the first load */
  reload(): void;
  tryReload(): void;
  /** Without conflicts. */
  health(): Health;
  /** The folder that holds the file. */
  folders(): readonly string[];
  /** The loaded file; `exists` is false before the first write. */
  content(): { readonly exists: boolean; readonly sessions: SessionsText };
  /** Overwrites by another program, as far as can be determined without the lock: items, and ids of copies whose record is gone. */
  suspects(): { readonly overwritten: readonly SessionItem[]; readonly gone: readonly string[] };
  /** Reads every entry and copy again at the next look. */
  forget(): void;
}

export interface SingleFileReaderOptions {
  readonly path: string;
  readonly codec: ItemCodec;
  readonly copies: CopyFolder;
  /** Wall clock in milliseconds. */
  readonly clock: () => number;
}

interface Loaded {
  readonly identity: FileIdentity;
  readonly racy: boolean;
  readonly sessions: SessionsText;
  readonly items: readonly SessionItem[];
  readonly overwritten: readonly SessionItem[];
  readonly gone: readonly string[];
}

/** How often a load restarts because the file was replaced meanwhile; the next look continues from there. */
const ATTEMPTS = 5;

export function singleFileReader({ path, codec, copies, clock }: SingleFileReaderOptions): SingleFileReader {
  const known = catalog<SessionItem>();
  let loaded: Loaded | null = null;
  let ready = false;
  let fresh = false;
  let failure: TmpmError | null = null;

  function tryReload(): void {
    try {
      const now = load();
      if (now !== loaded) take(now);
      ready = true;
      failure = null;
    } catch (error) {
      failure = failureOf(error, path);
      if (failure === null) throw error;
    }
  }

  function take(now: Loaded | null): void {
    const items = now?.items ?? [];
    const paths = new Set(items.map((item) => item.path));
    const drops = (loaded?.items ?? []).filter((item) => !paths.has(item.path)).map((item) => item.path);
    const puts = items.filter((item) => known.byPath(item.path) !== item);
    loaded = now;
    known.apply({ puts, drops });
  }

  /** The loaded state when nothing changed. */
  function load(): Loaded | null {
    const stat = statOf(path);
    if (stat === null && loaded === null) return null;
    if (stat !== null && loaded !== null && fresh && !loaded.racy && isSameFile(stat, loaded.identity)) return loaded;
    for (let attempt = 1; ; attempt++) {
      const { identity, text } = read();
      const racy = isRacy(identity, clock());
      if (loaded !== null && fresh && loaded.sessions.text === text) return { ...loaded, identity, racy };
      const sessions = readSessions(text);
      const items = distinctItems(itemsOf(sessions, { codec, copies, known: known.byPath, fresh }), path);
      const ids = new Set(items.map(({ id }) => id));
      const overwritten = items.filter(({ standing }) => standing === "overwritten");
      const gone = [...copies.ids()].filter((id) => !ids.has(id));
      const after = statOf(path);
      const settled = after !== null && isSameFile(after, identity);
      if (!settled && attempt < ATTEMPTS) continue;
      fresh = true;
      return { identity, racy: racy || !settled, sessions, items, overwritten, gone };
    }
  }

  function read(): { readonly identity: FileIdentity; readonly text: string } {
    const stat = statOf(path);
    const content = readBounded(path, { maxBytes: MAX_FILE_BYTES });
    if (stat === null || content.kind === "absent") throw unreadable(path, "it no longer exists");
    if (content.kind === "unreadable") throw unreadable(path, content.reason);
    return { identity: identityOf(stat), text: content.text };
  }

  return {
    catalog: known,
    tryReload,
    reload() {
      tryReload();
      if (failure !== null && !ready) throw failure;
    },
    health: () => (failure === null ? { state: "ok" } : { state: "degraded", error: failure }),
    folders: () => [dirname(path)],
    content: () => ({ exists: loaded !== null, sessions: loaded?.sessions ?? readSessions(NO_SESSIONS) }),
    suspects: () => ({ overwritten: loaded?.overwritten ?? [], gone: loaded?.gone ?? [] }),
    forget() {
      fresh = false;
    },
  };
}

function failureOf(error: unknown, path: string): TmpmError | null {
  if (error instanceof TmpmError) return error;
  return error instanceof SyntaxError ? unreadable(path, error.message) : reloadFailure(error, path);
}

function unreadable(path: string, reason: string): TmpmError {
  return new TmpmError("STORE_DEGRADED", `cannot read the sessions file ${path}: ${reason}`, {
    details: { path, reason },
    hint: "Nothing is written until the file can be read again: repair or replace it.",
  });
}
