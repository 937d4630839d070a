import { isTerminal, msFromTimestamp, type SessionGroup, TmpmError, timestampFromMs } from "@tmpm/core";
import type { WorkspaceDiff } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { type GroupedRecord, membersOf } from "../groups/members.js";
import { requireOwner } from "../owners/require-owner.js";
import { lineEnv } from "../workspace/set-up.js";
import { diff } from "./diff.js";

export interface GroupMember {
  readonly session: SessionFacts;
  /** Relative to its fork point; null for a finished session, or an unreadable work tree. */
  readonly changes: WorkspaceDiff["total"] | null;
  readonly checked: SessionGroup["checked"];
  readonly turns: number;
  /** Total duration of its turns. */
  readonly worked_ms: number;
}

export interface Group {
  readonly group: string;
  readonly check: string | null;
  readonly members: readonly GroupMember[];
  readonly notes: readonly string[];
}

/** Compares the sessions of a group. @throws GROUP_NOT_FOUND */
export async function group(ctx: Context, input: { readonly group: string }): Promise<Group> {
  return compared(ctx, { members: await membersOf(ctx, input.group), notes: [] });
}

export interface CheckInput {
  readonly group: string;
  /** New command line of the group's check; by default, the current one. */
  readonly check?: string | undefined;
  readonly client?: string | null | undefined;
}

/**
 * Runs the check of a group in each of its work trees, one after another, except where the agent is working. @throws GROUP_NOT_FOUND,
 * INVALID_ARGUMENT without a command, SESSION_NOT_OWNED
 */
export async function checkGroup(ctx: Context, input: CheckInput): Promise<Group> {
  const members = await membersOf(ctx, input.group);
  for (const member of members) if (input.client != null) requireOwner(member, input.client);
  const notes: string[] = [];
  for (const member of members.filter((each) => !isTerminal(each))) {
    const line = input.check ?? member.group.check;
    if (line === null) throw noLine(input.group);
    if (factsOf(ctx, member).turn !== null) notes.push(`${member.name} is working, so it was not checked`);
    else await checkOne(ctx, { member, line });
  }
  return compared(ctx, { members: await membersOf(ctx, input.group), notes });
}

function noLine(name: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `group ${name} has no check`, {
    hint: `\`tmpm group ${name} --check 'npm test'\` runs one.`,
    details: { field: "check" },
  });
}

async function checkOne(ctx: Context, { member, line }: { readonly member: GroupedRecord; readonly line: string }): Promise<void> {
  const { id, project_id, workspace } = member;
  if (workspace === null || (await ctx.workspaces.standing(workspace)).kind !== "standing") return;
  const { failure, lastLines } = await ctx.workspaces.check(workspace, { line, env: lineEnv(ctx, member) });
  const at = timestampFromMs(ctx.clock.now());
  await ctx.store.update(id, (current) => ({
    ...current,
    group: current.group === null ? null : { ...current.group, check: line, checked: { at, failure, last_lines: [...lastLines] } },
    updated_at: at,
  }));
  ctx.emit({ type: "session_checked", at, session_id: id, project_id, failure });
}

async function compared(
  ctx: Context,
  { members, notes }: { readonly members: readonly GroupedRecord[]; readonly notes: readonly string[] },
): Promise<Group> {
  const [first] = members;
  return {
    group: first?.group.name ?? "",
    check: members.map((each) => each.group.check).find((line) => line !== null) ?? null,
    members: await Promise.all(members.map((member) => memberOf(ctx, member))),
    notes,
  };
}

async function memberOf(ctx: Context, record: GroupedRecord): Promise<GroupMember> {
  const turns = (await ctx.turns.list(record.id, {})).filter(({ started_at }) => started_at !== null);
  const now = ctx.clock.now();
  const ms = turns.map(
    ({ started_at, ended_at }) =>
      (ended_at === null ? now : msFromTimestamp(ended_at)) - msFromTimestamp(started_at ?? ended_at ?? timestampFromMs(now)),
  );
  return {
    session: factsOf(ctx, record),
    changes: isTerminal(record) ? null : await changesOf(ctx, record),
    checked: record.group.checked,
    turns: turns.length,
    worked_ms: ms.reduce((sum, each) => sum + Math.max(0, each), 0),
  };
}

/** A missing or broken work tree does not affect the others. */
async function changesOf(ctx: Context, { id }: GroupedRecord): Promise<WorkspaceDiff["total"] | null> {
  try {
    return (await diff(ctx, { session: id, stat: true, limit: 1 })).total;
  } catch (error) {
    if (error instanceof TmpmError) return null;
    throw error;
  }
}
