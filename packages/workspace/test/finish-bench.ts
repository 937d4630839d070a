import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { expect } from "vitest";
import type { FinishRequest, MergeHow } from "../src/index.js";
import { filesHash, openMade, type WorkspaceLab, write } from "./workspace-lab.js";

export interface Bench {
  readonly lab: WorkspaceLab;
  readonly workspace: Workspace;
  request(how: MergeHow, more?: Partial<FinishRequest>): FinishRequest;
  /** Commits a file in the workspace. */
  work(name: string, text: string): void;
  /** Commits a file on main, in the user's own checkout. */
  theirs(name: string, text: string): void;
  finish(how: MergeHow, more?: Partial<FinishRequest>): Promise<string>;
  main(): string;
}

/** A worktree beside the repository of its user, who has a name in it. */
export async function bench(): Promise<Bench & Disposable> {
  const { lab, workspace } = await openMade("worktree");
  for (const [key, value] of [
    ["user.name", "Demo"],
    ["user.email", "demo@example.com"],
  ] as const)
    lab.source.git("config", key, value);
  const commitIn = (directory: string, name: string, text: string) => {
    write(join(directory, name), text);
    lab.git(directory, "add", "--", name);
    lab.git(directory, "commit", "--quiet", "-m", `change ${name}`);
  };
  const request = (how: MergeHow, more: Partial<FinishRequest> = {}) => ({
    workspace,
    how,
    into: null,
    startedFrom: "refs/heads/main",
    commit: null,
    message: "Take up the work",
    ...more,
  });
  return {
    lab,
    workspace,
    request,
    work: (name, text) => commitIn(workspace.path, name, text),
    theirs: (name, text) => commitIn(lab.source.path, name, text),
    async finish(how, more) {
      const { move } = await lab.spaces.composeFinish(request(how, more));
      await lab.spaces.moveTarget({ ...move, why: "test" });
      return move.to;
    },
    main: () => lab.source.git("rev-parse", "main").trim(),
    [Symbol.dispose]: () => lab[Symbol.dispose](),
  };
}

/** Everything of the user's: index and files of their checkout, stashes, refs. */
export function users(lab: WorkspaceLab) {
  const index = join(lab.source.path, ".git", "index");
  return {
    index: existsSync(index) ? readFileSync(index).toString("base64") : null,
    files: filesHash(lab.source.path),
    refs: lab.source.git("for-each-ref"),
    head: readFileSync(join(lab.source.path, ".git", "HEAD"), "utf8"),
    stash: lab.source.git("stash", "list"),
  };
}

export function sound(lab: WorkspaceLab): void {
  expect(lab.source.git("fsck", "--no-dangling", "--strict")).toBe("");
}
