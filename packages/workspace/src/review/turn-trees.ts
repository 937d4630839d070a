import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import { requireGit } from "../git/require-git.js";

/** A turn of a session, by its number. `directory` is any in its work tree, or the repository. */
export interface TurnKey {
  readonly directory: string;
  readonly sessionId: string;
  readonly generation: number;
}

/** Snapshots of the work tree at the start and end of a turn, as ids of trees; null without one. */
export interface TurnTrees {
  readonly start: string | null;
  readonly end: string | null;
}

export interface KeptTree extends TurnKey {
  readonly edge: keyof TurnTrees;
  readonly tree: string;
}

type OfSession = Omit<TurnKey, "generation">;

/** The trees of each session's turns. */
export interface TurnLedger {
  /** Stores a tree for an edge of a turn. The oldest turns are dropped. Calls for one session must be sequential. @throws GIT_FAILED */
  keep(kept: KeptTree): Promise<void>;
  /** Without an effect when `directory` is missing. @throws GIT_FAILED */
  drop(of: OfSession): Promise<void>;
}

/**
 * A session has one ref, a tree with an entry for each edge, because a ref for each turn would slow git down. A running turn has one of its
 * own with its number appended, which is a single command of git to write; the next end moves it into the tree.
 */
const TURNS = "refs/tmpm/turns/";
/** As many turns as in a session's history. */
const MOST_TURNS = 200;

/** What the refs of a session contain: trees by the names of their edges. */
interface Stored {
  /** Of the session's own ref; null without one. */
  readonly tree: string | null;
  readonly entries: ReadonlyMap<string, string>;
  /** The starts with a ref of their own, by their numbers. */
  readonly started: ReadonlyMap<number, string>;
}

const NOTHING: Stored = { tree: null, entries: new Map(), started: new Map() };
const MOST_SESSIONS = 256;

export function turnLedger(ctx: WorkspaceContext): TurnLedger {
  /** As written last. Another writer is noticed by git, which compares the refs with it. */
  const known = new Map<string, Stored>();

  async function keep(kept: KeptTree): Promise<void> {
    const before = known.get(kept.sessionId);
    known.delete(kept.sessionId);
    const write = kept.edge === "start" ? writeStart : writeEnd;
    const fresh = async () => write(ctx, { kept, before: await storedOf(ctx, kept) });
    const after = before === undefined ? await fresh() : await write(ctx, { kept, before }).catch(fresh);
    if (known.size >= MOST_SESSIONS) known.clear();
    known.set(kept.sessionId, after);
  }

  return {
    keep,
    async drop(of) {
      known.delete(of.sessionId);
      if (!(await exists(of.directory))) return;
      const { tree, started } = await refsOf(ctx, of);
      const refs = [...(tree === null ? [] : [TURNS + of.sessionId]), ...[...started.keys()].map((number) => startRef(of, number))];
      if (refs.length > 0) await updateRefs(ctx, { of, commands: refs.map((ref) => `delete ${ref}\n`) });
    },
  };
}

/** @throws GIT_FAILED */
export async function turnTrees(ctx: WorkspaceContext, key: TurnKey): Promise<TurnTrees> {
  const { entries, started } = await storedOf(ctx, key);
  const of = (edge: keyof TurnTrees) => entries.get(entryName(key.generation, edge)) ?? null;
  return { start: started.get(key.generation) ?? of("start"), end: of("end") };
}

type Write = (ctx: WorkspaceContext, of: { readonly kept: KeptTree; readonly before: Stored }) => Promise<Stored>;

const writeStart: Write = async (ctx, { kept, before }) => {
  const { generation, tree } = kept;
  await requireGit(["update-ref", startRef(kept, generation), tree], { ...gitOf(ctx, kept), effect: "unknown" });
  return { ...before, started: new Map([...before.started, [generation, tree]]) };
};

const writeEnd: Write = async (ctx, { kept, before }) => {
  const { generation, edge } = kept;
  const starts = [...before.started].map(([number, tree]) => [entryName(number, "start"), tree] as const);
  const entries = new Map(
    [...before.entries, ...starts, [entryName(generation, edge), kept.tree] as const].filter(
      ([name]) => Number.parseInt(name, 10) > generation - MOST_TURNS,
    ),
  );
  const input = [...entries].map(([name, tree]) => `040000 tree ${tree}\t${name}\n`).join("");
  const tree = (await requireGit(["mktree"], { ...gitOf(ctx, kept), input })).trim();
  const own = TURNS + kept.sessionId;
  const moved = [...before.started].map(([number, start]) => `delete ${startRef(kept, number)} ${start}\n`);
  await updateRefs(ctx, {
    of: kept,
    commands: [before.tree === null ? `create ${own} ${tree}\n` : `update ${own} ${tree} ${before.tree}\n`, ...moved],
  });
  return { tree, entries, started: new Map() };
};

/** All of them, or none. */
async function updateRefs(
  ctx: WorkspaceContext,
  { of, commands }: { readonly of: OfSession; readonly commands: readonly string[] },
): Promise<void> {
  await requireGit(["update-ref", "--stdin"], { ...gitOf(ctx, of), input: commands.join(""), effect: "unknown" });
}

function gitOf(ctx: WorkspaceContext, { directory }: OfSession) {
  return { directory, env: ctx.env, timeoutMs: ctx.lookMs };
}

function entryName(generation: number, edge: keyof TurnTrees): string {
  return `${numbered(generation)}.${edge}`;
}

function startRef({ sessionId }: OfSession, generation: number): string {
  return `${TURNS}${sessionId}.${numbered(generation)}`;
}

function numbered(generation: number): string {
  return String(generation).padStart(9, "0");
}

async function storedOf(ctx: WorkspaceContext, of: OfSession): Promise<Stored> {
  const { tree, started } = await refsOf(ctx, of);
  if (tree === null) return { ...NOTHING, started };
  const listed = await requireGit(["ls-tree", "--full-tree", tree], gitOf(ctx, of));
  const lines = listed.split("\n").map((line) => /^040000 tree ([0-9a-f]+)\t(.+)$/.exec(line));
  return { tree, started, entries: new Map(lines.flatMap((found) => (found === null ? [] : [[found[2] ?? "", found[1] ?? ""]]))) };
}

async function refsOf(ctx: WorkspaceContext, of: OfSession): Promise<Omit<Stored, "entries">> {
  const own = TURNS + of.sessionId;
  const listed = await requireGit(["for-each-ref", "--format=%(objectname) %(refname)", own, `${own}.*`], gitOf(ctx, of));
  const refs = listed.split("\n").flatMap((line) => {
    const [id = "", name = ""] = line.split(" ");
    return name === "" ? [] : [{ id, name }];
  });
  const number = ({ name }: { readonly name: string }) => /^\.(\d+)$/.exec(name.slice(own.length))?.[1];
  return {
    tree: refs.find(({ name }) => name === own)?.id ?? null,
    started: new Map(
      refs.flatMap((ref) => {
        const digits = number(ref);
        return digits === undefined ? [] : [[Number.parseInt(digits, 10), ref.id] as const];
      }),
    ),
  };
}
