import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { hasErrno, normalizeUuid, SendEntry } from "@tmpm/core";
import { parseOrNull } from "../durable/parse-or-null.js";
import { readBounded } from "../durable/read-bounded.js";
import { storeFailure } from "../durable/store-failure.js";

/** The sessions with sends in the folder. */
export function sessionsIn(dir: string): readonly string[] {
  return list(dir).filter((session) => normalizeUuid(session) === session);
}

/** The sends of one session, unordered. Removes unneeded texts and half-written files of a killed process. */
export function loadSession(dir: string, session: string): readonly SendEntry[] {
  const names = list(dir);
  const entries = names.flatMap((name) => (name.endsWith(".json") && !name.startsWith(".") ? decode(join(dir, name), session) : []));
  const wanted = new Set(entries.flatMap(({ id, step }) => (step === "done" ? [] : [`${id}.text`])));
  const unreadable = names.length > 0 && names.some((name) => name.endsWith(".json") && !isKnown(entries, name));
  for (const name of names) {
    const isLeftover = name.endsWith(".tmp") || (name.endsWith(".text") && !wanted.has(name) && !unreadable);
    if (isLeftover) rmSync(join(dir, name), { force: true });
  }
  return entries;
}

function isKnown(entries: readonly SendEntry[], name: string): boolean {
  return entries.some(({ id }) => basename(name, ".json") === id);
}

function decode(path: string, session: string): readonly SendEntry[] {
  const content = readBounded(path);
  if (content.kind !== "text") return [];
  const parsed = SendEntry.safeParse(parseOrNull(content.text));
  if (!parsed.success) return [];
  const fits = parsed.data.session_id === session && parsed.data.id === basename(path, ".json");
  return fits ? [parsed.data] : [];
}

function list(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return [];
    throw storeFailure(error, { doing: "cannot read the sends", path: dir });
  }
}
