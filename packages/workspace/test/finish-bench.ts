import { appendFileSync, existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { expect } from "vitest";
import type { FinishRequest, MergeHow } from "../src/index.js";
import { filesHash, openMade, type WorkspaceFixture, write } from "./workspace-fixture.js";

export interface Bench {
  readonly fixture: WorkspaceFixture;
  readonly workspace: Workspace;
  request(how: MergeHow, more?: Partial<FinishRequest>): FinishRequest;
  /** Commits a file in the workspace. */
  work(name: string, text: string): void;
  /** Commits a file on main, in the user's own checkout. */
  theirs(name: string, text: string): void;
  finish(how: MergeHow, more?: Partial<FinishRequest>): Promise<string>;
  main(): string;
}

/** A worktree beside the repository of its user, who has a name configured in it. */
export async function bench(): Promise<Bench & Disposable> {
  const { fixture, workspace } = await openMade("worktree");
  // The output of `git config`, without two more processes.
  appendFileSync(join(fixture.source.path, ".git", "config"), "[user]\n\tname = Demo\n\temail = demo@example.com\n");
  const commitIn = (directory: string, name: string, text: string) => {
    write(join(directory, name), text);
    fixture.git(directory, "add", "--", name);
    fixture.git(directory, "commit", "--quiet", "-m", `change ${name}`);
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
    fixture,
    workspace,
    request,
    work: (name, text) => commitIn(workspace.path, name, text),
    theirs: (name, text) => commitIn(fixture.source.path, name, text),
    async finish(how, more) {
      const { move } = await fixture.spaces.composeFinish(request(how, more));
      await fixture.spaces.moveTarget({ ...move, why: "test" });
      return move.to;
    },
    main: () => fixture.source.git("rev-parse", "main").trim(),
    [Symbol.dispose]: () => fixture[Symbol.dispose](),
  };
}

/** The user's state: index and files of their checkout, stashes, refs. */
export function users(fixture: WorkspaceFixture) {
  const index = join(fixture.source.path, ".git", "index");
  return {
    index: existsSync(index) ? readFileSync(index).toString("base64") : null,
    files: filesHash(fixture.source.path),
    refs: refsIn(join(fixture.source.path, ".git")),
    head: readFileSync(join(fixture.source.path, ".git", "HEAD"), "utf8"),
    stash: textAt(join(fixture.source.path, ".git", "logs", "refs", "stash")),
  };
}

/** Read as files, because git would take a process each time. */
function refsIn(gitDir: string): readonly string[] {
  const names = readdirSync(join(gitDir, "refs"), { recursive: true, encoding: "utf8" }).sort();
  const files = names.map((name) => join(gitDir, "refs", name)).filter((path) => lstatSync(path).isFile());
  return [...files, join(gitDir, "packed-refs")].map((path) => `${path} ${textAt(path)}`);
}

function textAt(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

export function sound(fixture: WorkspaceFixture): void {
  expect(fixture.source.git("fsck", "--no-dangling", "--strict")).toBe("");
}
