import { join } from "node:path";
import type { Workspace } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { type ChosenBranch, chooseBranch } from "../git/choose-branch.js";
import { headOf } from "../git/head.js";
import { type Expectation, requireGit } from "../git/require-git.js";
import type { EmptyCheckout, MakeOptions, MakeProgress } from "../worktree/make-workspace.js";
import type { WorkspaceRequest } from "../worktree/plan-workspace.js";
import { parseSource } from "./repository-source.js";

/** Clones into the empty directory without a checkout, and sets HEAD to the requested branch. Only the URL's transport is allowed. */
export async function cloneInto(ctx: WorkspaceContext, plan: Workspace, { request, onProgress }: MakeOptions): Promise<EmptyCheckout> {
  const source = parseSource(sourceOf(plan, request));
  const options = { env: ctx.env, effect: "unknown" } as const;
  // A local clone would share its objects with the source by hard links.
  const how = ["--no-checkout", "--no-local", "--no-recurse-submodules", "--origin", "origin", "--progress"];
  await requireGit(["clone", ...how, "--", source.address, plan.path], {
    ...options,
    protocols: source.protocols,
    timeoutMs: ctx.cloneMs,
    ...(onProgress === undefined ? {} : { onStderr: progressReader(onProgress) }),
  });
  const inside = { ...options, directory: plan.path };
  const head = await headOf(inside);
  const chosen = await chooseBranch(inside, { branch: request.branch, base: request.base ?? null, name: request.name, head });
  await checkOut(chosen, inside);
  const ofRemote = chosen.base_ref === `refs/remotes/origin/${chosen.branch}`;
  return {
    ...chosen,
    branch_made: chosen.branch_made && !ofRemote,
    gitDir: join(plan.path, ".git"),
    known: await knownCommits(plan.path, ctx, head.commit),
  };
}

/** A URL may include more than the plan shows, and a directory less: it may be below the repository's top. */
function sourceOf({ source }: Workspace, request: WorkspaceRequest): string {
  return source.startsWith("/") || request.source.kind !== "clone" ? source : request.source.from;
}

async function checkOut({ branch, branch_made, base, base_ref }: ChosenBranch, inside: Expectation): Promise<void> {
  if (branch_made && base !== null) {
    const from = base_ref?.startsWith("refs/remotes/") ? [branch, base_ref] : [branch, base];
    await requireGit(["branch", "--quiet", ...(from[1] === base ? ["--no-track"] : []), "--", ...from], inside);
  }
  await requireGit(["symbolic-ref", "HEAD", `refs/heads/${branch}`], inside);
}

/** Tags and a detached HEAD also came from the remote. */
async function knownCommits(path: string, ctx: WorkspaceContext, head: string | null): Promise<readonly string[]> {
  const wanted = ["--tags", ...(head === null ? [] : [head])];
  const listed = await requireGit(["rev-list", "--no-walk", ...wanted, "--not", "--remotes"], { directory: path, env: ctx.env });
  return listed.split("\n").filter((line) => line !== "");
}

/** Git redraws a progress line with CR; only the last complete one of a chunk counts. */
function progressReader(onProgress: (progress: MakeProgress) => void): (text: string) => void {
  let pending = "";
  return (text) => {
    const lines = (pending + text).split(/[\r\n]/);
    pending = lines.pop() ?? "";
    const read = lines.flatMap((line) => readProgress(line)).at(-1);
    if (read !== undefined) onProgress(read);
  };
}

export function readProgress(line: string): readonly MakeProgress[] {
  const match = /^(?:remote: )?([A-Z][a-z]+(?: [a-z]+)*): +(\d{1,3})% /.exec(line);
  return match === null ? [] : [{ doing: match[1] ?? "", percent: Number(match[2]) }];
}
