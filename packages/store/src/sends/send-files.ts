import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { hasErrno, keepingUnknown, normalizeUuid, SendEntry } from "@tmpm/core";
import { parseOrNull } from "../durable/parse-or-null.js";
import { readBounded } from "../durable/read-bounded.js";
import { storeFailure } from "../durable/store-failure.js";

/** The sessions with sends in the folder. */
export function sessionsIn(dir: string): readonly string[] {
  return list(dir).filter((session) => normalizeUuid(session) === session);
}

export const StoredSend = keepingUnknown(SendEntry);

/** A send that cannot be read, or that this version does not understand: its file stays, and its key is in use. */
export interface UnreadSend {
  readonly id: string;
  /** Null without one, and when it is unknown. */
  readonly key: string | null;
  /** If false, any key may be the one in use. */
  readonly isKeyKnown: boolean;
}

export interface SendsOfSession {
  /** Unordered. */
  readonly entries: readonly SendEntry[];
  readonly unread: readonly UnreadSend[];
}

/** The sends of one session. Removes unneeded texts and half-written files of a killed process. */
export function loadSession(dir: string, session: string): SendsOfSession {
  const names = list(dir);
  const found = names.flatMap((name) => (name.endsWith(".json") && !name.startsWith(".") ? decode(join(dir, name), session) : []));
  const entries = found.flatMap((one) => ("step" in one ? [one] : []));
  const wanted = new Set(entries.flatMap(({ id, step }) => (step === "done" ? [] : [`${id}.text`])));
  const unreadable = names.length > 0 && names.some((name) => name.endsWith(".json") && !isKnown(entries, name));
  for (const name of names) {
    const isLeftover = name.endsWith(".tmp") || (name.endsWith(".text") && !wanted.has(name) && !unreadable);
    if (isLeftover) rmSync(join(dir, name), { force: true });
  }
  return { entries, unread: found.flatMap((one) => ("step" in one ? [] : [one])) };
}

function isKnown(entries: readonly SendEntry[], name: string): boolean {
  return entries.some(({ id }) => basename(name, ".json") === id);
}

function decode(path: string, session: string): readonly (SendEntry | UnreadSend)[] {
  const content = readBounded(path);
  if (content.kind === "absent") return [];
  const document = content.kind === "text" ? parseOrNull(content.text) : null;
  const parsed = StoredSend.safeParse(document);
  const id = basename(path, ".json");
  const fits = parsed.success && parsed.data.session_id === session && parsed.data.id === id;
  return [fits ? parsed.data : { id, ...keyOf(document) }];
}

function keyOf(document: unknown): Pick<UnreadSend, "key" | "isKeyKnown"> {
  const key = typeof document === "object" && document !== null && "key" in document ? document.key : undefined;
  return typeof key === "string" || key === null ? { key, isKeyKnown: true } : { key: null, isKeyKnown: false };
}

function list(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return [];
    throw storeFailure(error, { doing: "cannot read the sends", path: dir });
  }
}
