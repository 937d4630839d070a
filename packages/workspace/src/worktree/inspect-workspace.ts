import { relative } from "node:path";
import { hasCode, type Workspace } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { nestedWork } from "../git/nested-work.js";
import { foreignPlaces } from "../git/own-groups.js";
import { workIn } from "../git/work-in.js";
import { type Reason, reason, unsafe } from "../refusal.js";
import { lookThrough } from "./look-through.js";
import { type Ownership, ownership } from "./ownership.js";

/** A session other than the workspace's own, with the directories that it uses. */
export interface OtherSession {
  readonly name: string;
  readonly cwd: string;
  readonly workspacePath: string | null;
}

export interface InspectOptions {
  readonly sessionId: string;
  readonly others: readonly OtherSession[];
}

/** The consequences of removing a workspace. `ours` with reasons is refused; `ignored` counts ignored files, which the trash keeps. */
export type Inspection =
  | { readonly kind: "missing" }
  | { readonly kind: "foreign"; readonly reasons: readonly [Reason] }
  | {
      readonly kind: "ours";
      readonly owned: Extract<Ownership, { kind: "ours" }>;
      readonly reasons: readonly Reason[];
      readonly ignored: number;
    };

/** Inspects without changes: the directory's owner, its users, and unsaved work. An inspection that fails is a reason too. */
export async function inspectWorkspace(ctx: WorkspaceContext, workspace: Workspace, options: InspectOptions): Promise<Inspection> {
  try {
    const owned = await ownership(ctx, { workspace, sessionId: options.sessionId });
    if (owned.kind === "missing") return owned;
    if (owned.kind === "foreign") return { kind: "foreign", reasons: [owned.reason] };
    const busy = await inUse(ctx, { workspace, owned, others: options.others });
    const work = await workOf(ctx, { workspace, owned });
    return { kind: "ours", owned, reasons: [...busy, ...work.reasons], ignored: work.ignored };
  } catch (error) {
    if (!hasCode(error, "GIT_FAILED", "PREREQUISITE_MISSING")) throw error;
    return { kind: "foreign", reasons: [unsafe("uninspectable", `it cannot be inspected: ${error.message}`)] };
  }
}

interface Inspected {
  readonly workspace: Workspace;
  readonly owned: Extract<Ownership, { kind: "ours" }>;
}

async function inUse(ctx: WorkspaceContext, seen: Inspected & Pick<InspectOptions, "others">): Promise<readonly Reason[]> {
  const { path, kind } = seen.workspace;
  const below = (place: string) => place === path || place.startsWith(`${path}/`);
  const sessions = seen.others.filter(
    ({ cwd, workspacePath }) => below(cwd) || (workspacePath !== null && (below(workspacePath) || path.startsWith(`${workspacePath}/`))),
  );
  const processes = await foreignPlaces(async () => (await ctx.processPlaces()).filter(({ cwd }) => below(cwd)));
  const own = seen.owned.worktrees.find((worktree) => worktree.path === path);
  const linked = kind === "clone" ? seen.owned.worktrees.slice(1).map((worktree) => worktree.path) : [];
  const rows: readonly (Reason | null)[] = [
    sessions.length === 0
      ? null
      : used(
          "session",
          "another session works there",
          sessions.map(({ name }) => name),
        ),
    processes.length === 0
      ? null
      : used(
          "process",
          "processes work there",
          processes.map(({ pid, cwd }) => `${pid} in ${JSON.stringify(relative(path, cwd) || ".")}`),
        ),
    own?.locked == null ? null : used("locked", `it is locked in git: ${own.locked || "no reason given"}`, []),
    linked.length === 0 ? null : used("worktrees", "other work trees belong to it", linked),
  ];
  return rows.flatMap((row) => row ?? []);
}

function used(code: "session" | "process" | "locked" | "worktrees", message: string, items: readonly string[]): Reason {
  return reason(code, { kind: "in_use", message: items.length === 0 ? message : `${message} (${items.slice(0, 5).join(", ")})`, items });
}

async function workOf(ctx: WorkspaceContext, { workspace, owned }: Inspected): Promise<{ reasons: readonly Reason[]; ignored: number }> {
  const git = { env: ctx.env, timeoutMs: ctx.inspectMs };
  const { path, kind } = workspace;
  const gitDir = owned.identity.git_dir;
  const found = await lookThrough(path, { timeoutMs: ctx.inspectMs });
  if (found === null) return { reasons: [unsafe("uninspectable", "it is too large to inspect in time")], ignored: 0 };
  if (found.closed.length > 0) {
    return {
      reasons: [reason("uninspectable", { kind: "unsafe", message: "folders in it cannot be opened", items: found.closed })],
      ignored: 0,
    };
  }
  const work = await workIn({ workTree: path, gitDir, kind, known: owned.marker.known, git });
  const nested = await nestedWork({ workTree: path, gitDir, repositories: found.repositories, git });
  const special =
    found.special.length === 0
      ? []
      : [reason("special_files", { kind: "work", message: "pipes, sockets or devices in it", items: found.special })];
  return { reasons: [...work.reasons, ...nested, ...special], ignored: work.ignored };
}
