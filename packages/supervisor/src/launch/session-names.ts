import { isTerminal, nameFromDir, nameFromTmuxName, nameFromUuid, parseSlug, type SessionRecord, TmpmError, uniqueName } from "@tmpm/core";
import type { Entry } from "@tmpm/store";
import type { Context } from "../context.js";
import { knownRecord } from "../remembering-store.js";

/** Serializes operations that choose and write a name: names are unique among unfinished sessions. */
export function choosingNames<T>(ctx: Pick<Context, "queues">, task: () => Promise<T>): Promise<T> {
  return ctx.queues.naming.run("names", task);
}

export async function takenNames(ctx: Pick<Context, "store">): Promise<Set<string>> {
  const entries = await ctx.store.list({ archived: true });
  return new Set(entries.flatMap(namesHeld));
}

/** The one rule of names: every unfinished record reserves its name, also in the archive, and also while unreadable. */
export function namesHeld(entry: Entry): readonly string[] {
  const record = knownRecord(entry);
  return record !== null && !isTerminal(record) ? [record.name] : [];
}

export interface NameWish {
  readonly id: string;
  readonly cwd: string;
  /** Used as given, or rejected. */
  readonly name: string | undefined;
  /** Words for a derived name. */
  readonly hint?: string | undefined;
}

/** The name of a new session. @throws INVALID_ARGUMENT, NAME_TAKEN */
export async function chooseName(ctx: Pick<Context, "settings" | "store">, { id, cwd, name: wanted, hint }: NameWish): Promise<string> {
  const taken = await takenNames(ctx);
  if (wanted === undefined) {
    const derived = hint !== undefined ? nameFromDir(hint) : cwd === ctx.settings.homeDir ? nameFromUuid(id) : nameFromDir(cwd);
    return uniqueName(nameFromTmuxName(derived), taken);
  }
  const name = parseSlug(wanted);
  if (taken.has(name)) throw nameTaken(name);
  return name;
}

/** @throws NAME_TAKEN */
export async function requireFreeName(ctx: Pick<Context, "store">, name: string): Promise<void> {
  if ((await takenNames(ctx)).has(name)) throw nameTaken(name);
}

/** The own server may be shared with another home, whose sessions have no record here. */
export function nameTakenInTmux({ name, tmux_name }: Pick<SessionRecord, "name" | "tmux_name">): TmpmError {
  return new TmpmError("NAME_TAKEN", `tmux has a session ${tmux_name} that is not in tmpm's records`, {
    hint: "Choose another name. A separate home, set with TMPM_HOME, has its own tmux server.",
    details: { name, tmux_name },
  });
}

function nameTaken(name: string): TmpmError {
  return new TmpmError("NAME_TAKEN", `session ${name} already exists`, {
    hint: `Choose another name, or remove that session with \`tmpm rm ${name}\`.`,
    details: { name },
  });
}
