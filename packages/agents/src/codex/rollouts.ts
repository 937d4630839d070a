import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { findFile } from "../files/find-file.js";
import { at, jsonIn, textAt } from "../files/json-path.js";
import { isMissing } from "../files/line-reader.js";

/** Finds the rollouts of conversations, `sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, with those of their sub-agents. */
export interface Rollouts {
  /** The conversation's own first; empty while there is none. */
  of(conversation: { readonly id: string; readonly sessions: string }): Promise<readonly string[]>;
}

interface Folder {
  readonly mtimeMs: number;
  readonly names: readonly string[];
}

/** The first line also holds the instructions. */
const HEAD_BYTES = 256 * 1024;
/** Maximum number of cached rollouts; beyond it they are read again. */
const MOST_KNOWN = 20_000;

/** Facts about rollouts are shared by all conversations. */
export function rollouts(): Rollouts {
  const mains = new Map<string, string>();
  const folders = new Map<string, Folder>();
  /** The conversation of a sub-agent's rollout; null for other rollouts. */
  const owners = new Map<string, string | null>();

  async function main({ id, sessions }: { readonly id: string; readonly sessions: string }): Promise<string | null> {
    const is = (name: string) => name.startsWith("rollout-") && name.endsWith(`-${id}.jsonl`);
    const key = join(sessions, id);
    const found = mains.get(key) ?? (await findFile(sessions, { depth: 3, is }));
    if (found !== null) mains.set(key, found);
    return found;
  }

  async function ownerOf(path: string): Promise<string | null> {
    const known = owners.get(path);
    if (known !== undefined) return known;
    const head = await firstLine(path);
    // Its first line is incomplete.
    if (head === null) return null;
    const owner = ownerIn(head);
    if (owners.size >= MOST_KNOWN) owners.clear();
    owners.set(path, owner);
    return owner;
  }

  /** The content of a day's folder at its last change. */
  async function namesIn(path: string): Promise<readonly string[]> {
    const { mtimeMs } = await stat(path);
    const known = folders.get(path);
    if (known?.mtimeMs === mtimeMs) return known.names;
    const names = (await readdir(path)).filter((name) => name.startsWith("rollout-") && name.endsWith(".jsonl"));
    folders.set(path, { mtimeMs, names });
    return names;
  }

  return {
    async of(conversation) {
      const own = await main(conversation);
      if (own === null) return [];
      const since = own.slice(conversation.sessions.length + 1);
      const later: string[] = [];
      for (const day of await daysSince(conversation.sessions, since)) {
        for (const name of await namesIn(join(conversation.sessions, day))) {
          // A sub-agent begins after its conversation.
          if (`${day}/${name}` > since && (await ownerOf(join(conversation.sessions, day, name))) === conversation.id)
            later.push(join(conversation.sessions, day, name));
        }
      }
      return [own, ...later];
    },
  };
}

/** The folders `YYYY/MM/DD` from a rollout's own on. */
async function daysSince(sessions: string, rollout: string): Promise<readonly string[]> {
  const first = rollout.split("/").slice(0, 3).join("/");
  const found: string[] = [];
  for (const year of await foldersIn(sessions)) {
    if (year < first.slice(0, 4)) continue;
    for (const month of await foldersIn(join(sessions, year))) {
      if (`${year}/${month}` < first.slice(0, 7)) continue;
      for (const day of await foldersIn(join(sessions, year, month)))
        if (`${year}/${month}/${day}` >= first) found.push(`${year}/${month}/${day}`);
    }
  }
  return found;
}

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}

async function firstLine(path: string): Promise<string | null> {
  try {
    const handle = await open(path, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      const end = buffer.subarray(0, bytesRead).indexOf(10);
      return end < 0 ? null : buffer.toString("utf8", 0, end);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** `session_id` is that of the conversation, however deep the sub-agent; version 0.171.0. */
function ownerIn(line: string): string | null {
  const payload = at(jsonIn(line), "payload");
  return isSubagent(payload) ? textAt(payload, "session_id") : null;
}

/** Whether a rollout's first line is a sub-agent's. */
export function isSubagent(meta: unknown): boolean {
  return textAt(meta, "thread_source") === "subagent" || at(meta, "source", "subagent") !== undefined;
}
