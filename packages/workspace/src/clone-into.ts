import { join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { commitOf } from "./commit-of.js";
import type { WorkspaceContext } from "./context.js";
import type { Added, MakeOptions, MakeProgress } from "./make-workspace.js";
import { parseSource } from "./repository-source.js";
import { requireGit } from "./require-git.js";

/** Clones into the empty directory, without its files, and puts HEAD on the wanted branch. Only the transport of the URL is allowed. */
export async function cloneInto(ctx: WorkspaceContext, plan: Workspace, { from, onProgress }: MakeOptions): Promise<Added> {
  const source = parseSource(from);
  const options = { env: ctx.env, effect: "unknown" } as const;
  // A local clone would share its objects with the source by hard links.
  await requireGit(
    [
      "clone",
      "--no-checkout",
      "--no-local",
      "--no-recurse-submodules",
      "--origin",
      "origin",
      "--progress",
      "--",
      source.address,
      plan.path,
    ],
    {
      ...options,
      protocols: source.protocols,
      timeoutMs: ctx.cloneMs,
      ...(onProgress === undefined ? {} : { onStderr: progressReader(onProgress) }),
    },
  );
  const inside = { ...options, directory: plan.path };
  const head = await commitOf("HEAD", inside);
  const { branch } = plan;
  const remote = await commitOf(`refs/remotes/origin/${branch}`, inside);
  const exists = (await commitOf(`refs/heads/${branch}`, inside)) !== null;
  const base = remote ?? head;
  if (base !== null && !exists) {
    await requireGit(
      remote === null ? ["branch", "--no-track", "--", branch, base] : ["branch", "--track", "--", branch, `origin/${branch}`],
      inside,
    );
  }
  await requireGit(["symbolic-ref", "HEAD", `refs/heads/${branch}`], inside);
  return { gitDir: join(plan.path, ".git"), base, branchMade: remote === null && !exists, known: await knownCommits(plan.path, ctx, head) };
}

/** Tags and a HEAD that no branch of the remote holds came from the remote all the same. */
async function knownCommits(path: string, ctx: WorkspaceContext, head: string | null): Promise<readonly string[]> {
  const wanted = ["--tags", ...(head === null ? [] : [head])];
  const listed = await requireGit(["rev-list", "--no-walk", ...wanted, "--not", "--remotes"], { directory: path, env: ctx.env });
  return listed.split("\n").filter((line) => line !== "");
}

/** Git redraws a line of progress with CR; only the last whole one of a chunk counts. */
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
