import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { afterAll, describe, expect, test } from "vitest";
import type { OtherSession, ReasonCode } from "../src/index.js";
import { openMade, SESSION, treeHash, type WorkspaceFixture, write } from "./workspace-fixture.js";

/** The input of a removal: the record may be false, and so may its surroundings. */
interface Attempt {
  readonly fixture: WorkspaceFixture;
  readonly workspace: Workspace;
  /** A folder of the user, with work, outside of everything that is ours. */
  readonly victim: string;
}

interface Layout {
  readonly name: string;
  readonly refusal: ReasonCode | "UNSAFE_PATH";
  readonly kind?: "clone";
  readonly root?: true;
  /** Builds it; returns the differences of the record or the call. */
  build(
    attempt: Attempt,
  ): { readonly workspace?: Partial<Workspace>; readonly sessionId?: string; readonly others?: readonly OtherSession[] } | undefined;
}

const at =
  (path: (attempt: Attempt) => string): Layout["build"] =>
  (attempt) => ({ workspace: { path: path(attempt) } });
const doing =
  (act: (attempt: Attempt) => void): Layout["build"] =>
  (attempt) => {
    act(attempt);
    return undefined;
  };
const marker = (workspace: Workspace) => join(workspace.identity?.git_dir ?? "", "tmpm-workspace.json");
/** Puts something else in the workspace's place, and moves the workspace beside it. */
const replacing = (put: (path: string, attempt: Attempt) => void) =>
  doing((attempt) => {
    renameSync(attempt.workspace.path, join(attempt.fixture.below, "away"));
    put(attempt.workspace.path, attempt);
  });

/** False values of the record or the call, with otherwise unchanged surroundings. */
const LIES: readonly Layout[] = [
  { name: "the record names the root of the file system", refusal: "bad_path", build: at(() => "/") },
  { name: "the record names the home folder", refusal: "bad_path", build: at(({ victim }) => victim) },
  { name: "the record names tmpm's own folder", refusal: "bad_path", build: at(({ fixture }) => fixture.home) },
  {
    name: "the record names the folder of all workspaces",
    refusal: "bad_path",
    build: at(({ fixture }) => join(fixture.home, "workspaces")),
  },
  { name: "the record names a project's folder", refusal: "bad_path", build: at(({ workspace }) => dirname(workspace.path)) },
  { name: "the record names the user's repository", refusal: "bad_path", build: at(({ fixture }) => fixture.source.path) },
  { name: "the path climbs out with ..", refusal: "bad_path", build: at(({ workspace }) => `${workspace.path}/../../../../victim`) },
  {
    name: "the path is spelled with ..",
    refusal: "bad_path",
    build: at(({ workspace }) => `${dirname(workspace.path)}/x/../${basename(workspace.path)}`),
  },
  { name: "the path ends in a slash", refusal: "bad_path", build: at(({ workspace }) => `${workspace.path}/`) },
  { name: "the path is relative", refusal: "bad_path", build: at(() => "default/demo") },
  { name: "the path holds a NUL", refusal: "bad_path", build: at(({ workspace }) => `${workspace.path}\0`) },
  { name: "the path is empty", refusal: "bad_path", build: at(() => "") },
  { name: "the path is below the workspace", refusal: "bad_path", build: at(({ workspace }) => join(workspace.path, "src")) },
  {
    name: "the folder's name begins with a dot",
    refusal: "bad_path",
    build: at(({ workspace }) => join(dirname(workspace.path), ".hidden")),
  },
  {
    name: "the marker is that of another session",
    refusal: "marker",
    build: () => ({ sessionId: "5b1e0c4e-0000-4000-8000-00000000ffff" }),
  },
  { name: "the marker has another nonce", refusal: "marker", build: () => ({ workspace: { nonce: "another" } }) },
  {
    name: "another session works in it",
    refusal: "session",
    build: ({ workspace }) => ({ others: [{ name: "other", cwd: join(workspace.path, "src"), workspacePath: null }] }),
  },
  {
    name: "another session's workspace lies around it",
    refusal: "session",
    build: ({ workspace }) => ({ others: [{ name: "other", cwd: "/", workspacePath: dirname(workspace.path) }] }),
  },
];

const LAYOUTS: readonly Layout[] = [
  {
    name: "the folder's name is that of ours in capitals",
    refusal: "not_a_directory",
    build: (attempt) => {
      const path = join(dirname(attempt.workspace.path), basename(attempt.workspace.path).toUpperCase());
      symlinkSync(attempt.workspace.path, path);
      return { workspace: { path } };
    },
  },
  {
    name: "a symbolic link to the user's work is in its place",
    refusal: "not_a_directory",
    build: replacing((path, { victim }) => symlinkSync(victim, path)),
  },
  {
    name: "a symbolic link to the workspace itself is in its place",
    refusal: "not_a_directory",
    build: replacing((path, { fixture }) => symlinkSync(join(fixture.below, "away"), path)),
  },
  { name: "a file is in its place", refusal: "not_a_directory", build: replacing((path) => writeFileSync(path, "work")) },
  { name: "a pipe is in its place", refusal: "not_a_directory", build: replacing((path) => execFileSync("mkfifo", [path])) },
  {
    name: "the user's work is in its place",
    refusal: "replaced",
    build: replacing((path, { victim }) => cpSync(victim, path, { recursive: true })),
  },
  {
    name: "an exact copy is in its place",
    refusal: "replaced",
    build: replacing((path, { fixture }) => cpSync(join(fixture.below, "away"), path, { recursive: true })),
  },
  {
    name: "the project's folder is a symbolic link to the user's work",
    refusal: "bad_folder",
    build: doing(({ workspace, victim }) => {
      renameSync(dirname(workspace.path), join(victim, "default"));
      symlinkSync(join(victim, "default"), dirname(workspace.path));
    }),
  },
  {
    name: "the folder of all workspaces is a symbolic link",
    refusal: "bad_folder",
    build: doing(({ fixture, victim }) => {
      renameSync(join(fixture.home, "workspaces"), join(victim, "workspaces"));
      symlinkSync(join(victim, "workspaces"), join(fixture.home, "workspaces"));
    }),
  },
  {
    name: "others may write to the project's folder",
    refusal: "bad_folder",
    build: doing(({ workspace }) => chmodSync(dirname(workspace.path), 0o777)),
  },
  {
    name: "the directory belongs to another user",
    refusal: "foreign_owner",
    root: true,
    build: doing(({ workspace }) => chownSync(workspace.path, 12_345, 12_345)),
  },
  {
    name: "a file system is mounted in it",
    refusal: "mounted",
    build: doing(({ fixture, workspace }) => fixture.mounts.push(join(workspace.path, "data"))),
  },
  { name: "the home folder lies in it", refusal: "protected", build: doing(() => undefined) },
  { name: "the marker is missing", refusal: "marker", build: doing(({ workspace }) => rmSync(marker(workspace))) },
  { name: "the marker is not JSON", refusal: "marker", build: doing(({ workspace }) => writeFileSync(marker(workspace), "{")) },
  {
    name: "the marker is a symbolic link to a right one",
    refusal: "marker",
    build: doing(({ fixture, workspace }) => {
      renameSync(marker(workspace), join(fixture.below, "marker"));
      symlinkSync(join(fixture.below, "marker"), marker(workspace));
    }),
  },
  {
    name: "the marker has a second name",
    refusal: "marker",
    build: doing(({ fixture, workspace }) => linkSync(marker(workspace), join(fixture.below, "second"))),
  },
  {
    name: "the marker is a pipe",
    refusal: "marker",
    build: doing(({ workspace }) => {
      rmSync(marker(workspace));
      execFileSync("mkfifo", [marker(workspace)]);
    }),
  },
  {
    name: "a right marker was copied into the user's repository, which the record names",
    refusal: "bad_path",
    kind: "clone",
    build: ({ fixture, workspace }) => {
      cpSync(marker(workspace), join(fixture.source.path, ".git", "tmpm-workspace.json"));
      return { workspace: { path: fixture.source.path, identity: null } };
    },
  },
  {
    name: "the user's repository was moved to its place, with a copy of the marker",
    refusal: "marker",
    kind: "clone",
    build: ({ fixture, workspace }) => {
      const text = readFileSync(marker(workspace));
      renameSync(workspace.path, join(fixture.below, "away"));
      cpSync(fixture.source.path, workspace.path, { recursive: true });
      chmodSync(workspace.path, 0o700);
      writeFileSync(marker(workspace), text, { mode: 0o600 });
      return { workspace: { identity: null } };
    },
  },
  {
    name: "its git folder is a symbolic link to the user's repository",
    refusal: "git_folder",
    kind: "clone",
    build: doing(({ fixture, workspace }) => {
      renameSync(join(workspace.path, ".git"), join(fixture.below, "away"));
      symlinkSync(join(fixture.source.path, ".git"), join(workspace.path, ".git"));
    }),
  },
  {
    name: "it is the main work tree of a repository instead of a linked one",
    refusal: "git_folder",
    build: doing(({ fixture, workspace }) => {
      rmSync(join(workspace.path, ".git"));
      fixture.git(workspace.path, "init", "--quiet");
    }),
  },
  {
    name: "its link names another repository",
    refusal: "git_folder",
    build: doing(({ fixture, workspace }) => writeFileSync(join(workspace.path, ".git"), `gitdir: ${join(fixture.source.path, ".git")}\n`)),
  },
  {
    name: "its link is a symbolic link",
    refusal: "git_folder",
    build: doing(({ fixture, workspace }) => {
      renameSync(join(workspace.path, ".git"), join(fixture.below, "away"));
      symlinkSync(join(fixture.below, "away"), join(workspace.path, ".git"));
    }),
  },
  {
    name: "the repository has it registered elsewhere",
    refusal: "not_registered",
    build: doing(({ fixture, workspace }) =>
      writeFileSync(join(workspace.identity?.git_dir ?? "", "gitdir"), `${join(fixture.below, "elsewhere", ".git")}\n`),
    ),
  },
  {
    name: "the repository does not know it any more",
    refusal: "not_registered",
    build: doing(({ workspace }) => rmSync(workspace.identity?.git_dir ?? "", { recursive: true })),
  },
  {
    name: "the repository is gone",
    refusal: "not_registered",
    build: doing(({ fixture }) => renameSync(fixture.source.path, join(fixture.below, "moved"))),
  },
  {
    name: "git uses another directory as its work tree",
    refusal: "git_folder",
    kind: "clone",
    build: doing(({ fixture, workspace }) => void fixture.git(workspace.path, "config", "core.worktree", fixture.source.path)),
  },
  {
    name: "its index is damaged",
    refusal: "uninspectable",
    build: doing(({ workspace }) => writeFileSync(join(workspace.identity?.git_dir ?? "", "index"), "damage")),
  },
  {
    name: "it is locked in git",
    refusal: "locked",
    build: doing(({ fixture, workspace }) => void fixture.git(fixture.source.path, "worktree", "lock", workspace.path)),
  },
  {
    name: "another work tree belongs to it",
    refusal: "worktrees",
    kind: "clone",
    build: doing(
      ({ fixture, workspace }) => void fixture.git(workspace.path, "worktree", "add", "--quiet", "--detach", join(fixture.below, "linked")),
    ),
  },
  {
    name: "a work tree of another repository lies in it",
    refusal: "worktrees",
    build: doing(({ fixture, workspace }) => {
      mkdirSync(join(workspace.path, "ignored"));
      fixture.source.git("worktree", "add", "--quiet", "--detach", join(workspace.path, "ignored", "tree"));
    }),
  },
  {
    name: "a process works below it",
    refusal: "process",
    build: doing(({ fixture, workspace }) => fixture.processes.push({ pid: 4242, cwd: join(workspace.path, "src") })),
  },
  {
    name: "a pipe lies in it",
    refusal: "special_files",
    build: doing(({ workspace }) => void execFileSync("mkfifo", [join(workspace.path, "pipe")])),
  },
  {
    name: "a repository with work lies in it",
    refusal: "nested_repository",
    build: doing(({ fixture, workspace }) => {
      write(join(workspace.path, "ignored", "nested", "work"), "work");
      fixture.git(join(workspace.path, "ignored", "nested"), "init", "--quiet");
    }),
  },
  {
    name: "the trash is a symbolic link",
    refusal: "UNSAFE_PATH",
    build: doing(({ fixture, victim }) => symlinkSync(victim, join(fixture.home, "trash"))),
  },
  {
    name: "others may write to the trash",
    refusal: "UNSAFE_PATH",
    build: doing(({ fixture }) => {
      mkdirSync(join(fixture.home, "trash"));
      chmodSync(join(fixture.home, "trash"), 0o777);
    }),
  },
];

async function attemptOf({ kind, refusal }: Layout): Promise<Attempt> {
  const options = refusal === "protected" ? { userHome: "home/workspaces/default/demo-5b1e0c4e/home" } : {};
  const { fixture, workspace } = await openMade(kind ?? "worktree", options);
  const victim = join(fixture.below, "victim");
  write(join(victim, "src", "work.txt"), "unsaved");
  return { fixture, workspace, victim };
}

async function expectRefused(attempt: Attempt, layout: Layout): Promise<void> {
  const { fixture, workspace } = attempt;
  const change = layout.build(attempt) ?? {};
  const before = treeHash(fixture.below);
  const removed = fixture.spaces.remove(
    { ...workspace, ...change.workspace },
    {
      sessionId: change.sessionId ?? SESSION,
      others: change.others ?? [],
      trashId: "trash-1",
      discard: layout.refusal !== "special_files" && layout.refusal !== "nested_repository",
    },
  );
  if (layout.refusal === "UNSAFE_PATH") await expect(removed).rejects.toMatchObject({ code: "UNSAFE_PATH", effect: "none" });
  else
    await expect(removed).rejects.toMatchObject({
      code: "WORKSPACE_REFUSED",
      effect: "none",
      details: { reasons: [{ code: layout.refusal, message: expect.stringMatching(/\w/) }] },
    });
  expect(treeHash(fixture.below)).toBe(before);
}

describe("removal in a hostile layout is rejected and changes nothing", { timeout: 240_000 }, () => {
  for (const layout of LAYOUTS) {
    const skipped = layout.root && process.geteuid?.() !== 0;
    if (skipped) console.warn(`skipped without root: ${layout.name}`);
    test.skipIf(skipped)(layout.name, async () => {
      const attempt = await attemptOf(layout);
      using _ = attempt.fixture;
      await expectRefused(attempt, layout);
    });
  }
});

describe("removal with a wrong record or call is rejected and changes nothing", { timeout: 240_000 }, () => {
  let shared: Attempt | null = null;
  afterAll(() => shared?.fixture[Symbol.dispose]());

  for (const lie of LIES) {
    test(lie.name, async () => {
      shared ??= await attemptOf(lie);
      await expectRefused(shared, lie);
    });
  }
});
