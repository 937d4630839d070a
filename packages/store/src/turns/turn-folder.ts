import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hasErrno, keepingUnknown, keyedQueue, normalizeUuid, type SessionId, TmpmError, Turn, temporaryOwner } from "@tmpm/core";
import { makeFolders } from "../durable/durable-folder.js";
import { parseOrNull } from "../durable/parse-or-null.js";
import { readBounded } from "../durable/read-bounded.js";
import { removeEmptyFolder, removeFile } from "../durable/remove-file.js";
import { storeFailure } from "../durable/store-failure.js";
import { nodeWriteCalls, type WriteCalls, writeDurably } from "../durable/write-durably.js";
import { sliceOf, TURNS_KEPT, type TurnJournal } from "./turn-journal.js";

export interface TurnFolderOptions {
  /** Contains `<session id>/<generation>-<turn id>.json`, and `….open.json` while the turn is open; files have mode 0600. */
  readonly dir: string;
  /** Number of ended turns kept per session; `TURNS_KEPT` when undefined. */
  readonly kept?: number;
  readonly calls?: WriteCalls;
}

interface Folder {
  readonly dir: string;
  readonly kept: number;
  readonly calls: WriteCalls;
  /** Files of open turns last read or written as turns. One process at a time writes to the folder. */
  readonly sound: Set<string>;
}

const StoredTurn = keepingUnknown(Turn);

/** A turn journal on disk: one document for each turn. Unreadable files, and those of a newer tmpm, are kept and ignored. */
export function turnFolder({ dir, kept = TURNS_KEPT, calls = nodeWriteCalls }: TurnFolderOptions): TurnJournal {
  const folder: Folder = { dir, kept, calls, sound: new Set() };
  const inOrder = keyedQueue();
  return {
    keep: (turn) => inOrder.run(turn.session_id, () => keep(folder, turn)),
    async get(session, id) {
      const named = namesOf(folder, session).find((name) => name.id === id);
      return named === undefined ? null : read(folder, session, named);
    },
    list: async (session, slice = {}) => sliceOf(namesOf(folder, session), slice).flatMap((name) => read(folder, session, name) ?? []),
    lastGeneration: async (session) => namesOf(folder, session).at(-1)?.generation ?? 0,
    open: async () => sessionsIn(folder).flatMap((session) => openTurns(folder, session)),
    forget: (session) =>
      inOrder.run(session, async () => {
        for (const file of filesIn(join(dir, session))) remove(folder, join(dir, session, file));
        removeEmptyFolder(join(dir, session));
      }),
    close: () => inOrder.idle(),
  };
}

interface Name {
  readonly file: string;
  readonly generation: number;
  readonly id: string;
  readonly open: boolean;
}

async function keep(folder: Folder, turn: Turn): Promise<void> {
  const { dir, calls, sound } = folder;
  const before = namesOf(folder, turn.session_id).find(({ id }) => id === turn.id);
  if (before !== undefined && !before.open) return;
  const place = join(dir, turn.session_id);
  const replaced = before !== undefined && (sound.has(join(place, before.file)) || read(folder, turn.session_id, before) !== null);
  if (before?.file === fileOf(turn) && !replaced) throw unsupported(turn);
  await makeFolders(place, calls);
  const text = `${JSON.stringify(StoredTurn.parse(turn))}\n`;
  await writeDurably(join(place, fileOf(turn)), { calls, text });
  if (turn.state !== "ended") {
    sound.add(join(place, fileOf(turn)));
    return;
  }
  // An open file restored by a power loss ranks below that of the outcome.
  if (replaced) remove(folder, join(place, before.file));
  const ended = namesOf(folder, turn.session_id).filter(({ open }) => !open);
  for (const { file } of ended.slice(0, Math.max(0, ended.length - folder.kept))) remove(folder, join(place, file));
}

function unsupported({ id, session_id }: Turn): TmpmError {
  return new TmpmError("RECORD_UNSUPPORTED", `the stored turn ${id} is unreadable, or of a newer tmpm`, {
    effect: "none",
    details: { session: session_id, turn: id },
  });
}

function fileOf({ generation, id, state }: Turn): string {
  return `${String(generation).padStart(9, "0")}-${id}${state === "ended" ? "" : ".open"}.json`;
}

/** Each turn once, oldest first. */
function namesOf({ dir }: Folder, session: SessionId): readonly Name[] {
  const names = new Map<string, Name>();
  for (const file of filesIn(join(dir, session)).toSorted()) {
    const [, generation, id, open] = /^(\d{9,})-([0-9a-f-]{36})(\.open)?\.json$/.exec(file) ?? [];
    if (generation === undefined || id === undefined) continue;
    if (names.get(id)?.open === false) continue;
    names.set(id, { file, generation: Number(generation), id, open: open !== undefined });
  }
  return [...names.values()].toSorted((a, b) => a.generation - b.generation);
}

function read({ dir, sound }: Folder, session: SessionId, { file, id, open }: Name): Turn | null {
  const path = join(dir, session, file);
  const content = readBounded(path);
  if (content.kind !== "text") return null;
  const parsed = StoredTurn.safeParse(parseOrNull(content.text));
  if (!parsed.success || parsed.data.session_id !== session || parsed.data.id !== id) return null;
  if (open) sound.add(path);
  return parsed.data;
}

/** Also removes half-written files of a killed process. */
function openTurns(folder: Folder, session: SessionId): readonly Turn[] {
  const place = join(folder.dir, session);
  for (const file of filesIn(place)) if (temporaryOwner(file) !== null) remove(folder, join(place, file));
  return namesOf(folder, session).flatMap((name) => (name.open ? (read(folder, session, name) ?? []) : []));
}

function sessionsIn({ dir }: Folder): readonly SessionId[] {
  return filesIn(dir).filter((name) => normalizeUuid(name) === name);
}

function filesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return [];
    throw storeFailure(error, { doing: "cannot read the turns", path });
  }
}

function remove({ calls, sound }: Folder, path: string): void {
  sound.delete(path);
  removeFile(path, { calls, doing: "cannot remove the turn" });
}
