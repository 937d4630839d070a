import { nameFromDir, nameFromTmuxName, type SessionGroup, TmpmError, toErrorBody, uniqueName } from "@tmpm/core";
import type { Context } from "../context.js";
import { recordsInGroups } from "../groups/members.js";
import { choosingNames, takenNames } from "../launch/session-names.js";
import { type Created, type CreateInput, create } from "./create.js";

export interface FanMember {
  readonly agent: string;
  readonly model?: string | undefined;
}

type Shared = Pick<
  CreateInput,
  "cwd" | "prompt" | "task" | "base" | "fetch" | "setup" | "trust" | "permissions" | "reasoning_effort" | "project_id" | "owner" | "mode"
> &
  Pick<CreateInput, "issue_id" | "issue_url" | "search_path" | "env">;

export interface FanInput extends Shared {
  /** A session for each. */
  readonly members: readonly FanMember[];
  /** Name of the group; its sessions get it with a number appended. By default, the name of the directory. */
  readonly group?: string | undefined;
  /** Command line for `/bin/sh` that checks the work of a session. */
  readonly check?: string | undefined;
}

export interface NotStarted extends FanMember {
  readonly error: ReturnType<typeof toErrorBody>;
}

export interface Fanned {
  readonly group: string;
  readonly sessions: readonly Created[];
  readonly failed: readonly NotStarted[];
  readonly notes: readonly string[];
}

/**
 * Starts several sessions with the same prompt, each in a worktree of its own from the same commit. Failures are reported, and the others
 * continue.
 * @throws INVALID_ARGUMENT, and the errors of `create` when none was started
 */
export async function fan(ctx: Context, input: FanInput): Promise<Fanned> {
  const { group: wanted, ...rest } = input;
  const { cwd, members } = input;
  // Simultaneous callers never share a group: its name is reserved here until its sessions are recorded.
  const name = await choosingNames(ctx, async () => {
    const free = await freeGroup(ctx, { wanted, cwd, count: members.length });
    ctx.creating.groups.add(free);
    return free;
  });
  try {
    return await start(ctx, { ...rest, name });
  } finally {
    ctx.creating.groups.delete(name);
  }
}

async function start(ctx: Context, input: Omit<FanInput, "group"> & { readonly name: string }): Promise<Fanned> {
  const { members, name, check, fetch, ...shared } = input;
  const group: SessionGroup = { name, check: check ?? null, checked: null };
  if (fetch ?? false) {
    const source = { kind: "worktree", directory: input.cwd } as const;
    await ctx.workspaces.fetch({ sessionId: ctx.newId(), name, projectId: "default", source, branch: null, base: input.base ?? null });
  }
  const begun = await Promise.all(
    members.map((member, index) =>
      begin(ctx, { ...shared, ...member, name: `${name}-${index + 1}`, worktree: true, duplicate_issue: true, group }),
    ),
  );
  const sessions = begun.flatMap((each) => (each instanceof TmpmError ? [] : [each]));
  const failed = begun.flatMap((each, index) => {
    const member = members[index];
    return each instanceof TmpmError && member !== undefined ? [{ ...member, error: toErrorBody(each) }] : [];
  });
  const [first] = begun;
  if (sessions.length === 0 && first instanceof TmpmError) throw first;
  return { group: name, sessions, failed, notes: differing(sessions) };
}

async function begin(ctx: Context, input: CreateInput): Promise<Created | TmpmError> {
  try {
    return await create(ctx, input);
  } catch (error) {
    if (error instanceof TmpmError) return error;
    throw error;
  }
}

/** A name unused by groups, and by sessions with a number appended. */
async function freeGroup(
  ctx: Pick<Context, "creating" | "store">,
  { wanted, cwd, count }: { readonly wanted: string | undefined; readonly cwd: string; readonly count: number },
): Promise<string> {
  const groups = new Set([...(await recordsInGroups(ctx)).map(({ group }) => group.name), ...ctx.creating.groups]);
  const names = await takenNames(ctx);
  const isTaken = (name: string) =>
    groups.has(name) || Array.from({ length: count }, (_, at) => `${name}-${at + 1}`).some((each) => names.has(each));
  if (wanted !== undefined) {
    if (!isTaken(wanted)) return wanted;
    throw new TmpmError("NAME_TAKEN", `group ${wanted}, or a session with one of its names, already exists`, {
      hint: "Choose another name for the group.",
      details: { name: wanted },
    });
  }
  const taken = new Set<string>();
  for (;;) {
    const name = uniqueName(nameFromTmuxName(nameFromDir(cwd)).slice(0, 40), taken);
    if (!isTaken(name)) return name;
    taken.add(name);
  }
}

/** The branch may have moved while they were started. */
function differing(sessions: readonly Created[]): readonly string[] {
  const bases = new Set(sessions.map(({ session }) => session.record.workspace?.base ?? null));
  return bases.size > 1 ? ["the branch moved meanwhile, so the sessions did not start from the same commit"] : [];
}
