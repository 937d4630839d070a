import { createHash } from "node:crypto";
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, type Stats, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { type Removal, type RemoveOptions, type Restored, type WorkspaceStep, type Workspaces, workspaces } from "../src/index.js";
import { folderOfRun, madeOnce } from "./made-once.js";
import { folderAt, gitIn, openFolder, type Repository } from "./repository.js";

export const SESSION = "5b1e0c4e-0000-4000-8000-000000000001";
export const DAY_MS = 24 * 60 * 60 * 1000;
/** No user configuration, and no processes except those of the tests. */
export const ENV = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };

export interface WorkspaceFixture {
  /** A repository with one commit, `origin` as its remote, and everything pushed. */
  readonly source: Repository;
  readonly home: string;
  readonly below: string;
  readonly spaces: Workspaces;
  /** Additional processes to report besides the real ones. */
  readonly processes: { pid: number; cwd: string }[];
  readonly mounts: string[];
  now: number;
  /** Fails the operation at the step; null ends that. */
  failAt(step: WorkspaceStep | null): void;
  /** Runs an operation that stops at the step, as if the process had been killed there. */
  killedAt(step: WorkspaceStep, operation: (spaces: Workspaces) => Promise<unknown>): Promise<void>;
  make(kind?: "worktree" | "clone", options?: { name?: string; branch?: string; base?: string; from?: string }): Promise<Workspace>;
  remove(workspace: Workspace, options?: Partial<RemoveOptions>): Promise<Removal>;
  restore(workspace: Workspace, trashId?: string): Promise<Restored>;
  git(directory: string, ...args: readonly string[]): string;
  [Symbol.dispose](): void;
}

export const FAILURE = new Error("a failure at a step");

export interface FixtureOptions {
  /** Relative to `below`. */
  readonly userHome?: string;
  readonly lookMs?: number;
}

export function openFixture(options: FixtureOptions = {}): WorkspaceFixture {
  return openFilled(pushedOnce(), options);
}

/** A fixture whose repositories are copies of those in a folder. */
export function openFilled(from: string, options: FixtureOptions = {}): WorkspaceFixture {
  const folder = openFolder();
  copyFixture(from, folder.path);
  return fixtureIn(folder, options);
}

/** A folder with the repositories of a fixture after the given actions, made once. */
export function filledOnce(fill: (source: string) => void): () => string {
  return madeOnce((path) => {
    copyFixture(pushedOnce(), path);
    fill(join(path, "source"));
  });
}

/**
 * A fixture with an existing workspace: made once and copied, with the paths and the identity of the copy in the files that contain them.
 */
export async function openMade(
  kind: "worktree" | "clone",
  options: FixtureOptions = {},
): Promise<{ fixture: WorkspaceFixture; workspace: Workspace }> {
  const original = await originalOf(kind);
  const folder = openFolder();
  copyFixture(original.fixture.below, folder.path);
  const here = (path: string) => path.replaceAll(original.fixture.below, folder.path);
  const path = here(original.workspace.path);
  const found = lstatSync(path, { bigint: true });
  const identity = {
    git_dir: here(original.workspace.identity?.git_dir ?? ""),
    device: String(found.dev),
    inode: String(found.ino),
  };
  const workspace = {
    ...original.workspace,
    path,
    source: here(original.workspace.source),
    repository: original.workspace.repository,
    identity,
  };
  if (workspace.repository !== null) workspace.repository = here(workspace.repository);
  const marker = join(identity.git_dir, "tmpm-workspace.json");
  writeFileSync(
    marker,
    JSON.stringify({ ...JSON.parse(here(readFileSync(marker, "utf8"))), device: identity.device, inode: identity.inode }),
  );
  const naming = kind === "clone" ? [join(path, ".git", "config")] : [join(path, ".git"), join(identity.git_dir, "gitdir")];
  for (const file of naming) writeFileSync(file, here(readFileSync(file, "utf8")));
  return { fixture: fixtureIn(folder, options), workspace };
}

const originals = new Map<"worktree" | "clone", Promise<{ fixture: WorkspaceFixture; workspace: Workspace }>>();

function originalOf(kind: "worktree" | "clone") {
  const making = originals.get(kind) ?? makeOriginal(kind);
  originals.set(kind, making);
  return making;
}

async function makeOriginal(kind: "worktree" | "clone") {
  const folder = folderAt(folderOfRun());
  copyFixture(pushedOnce(), folder.path);
  const fixture = fixtureIn(folder, {});
  return { fixture, workspace: await fixture.make(kind) };
}

function fixtureIn(folder: Repository, options: FixtureOptions): WorkspaceFixture {
  const home = join(folder.path, "home");
  mkdirSync(home, { mode: 0o700, recursive: true });
  const path = join(folder.path, "source");
  const source = { ...folder, path, git: (...args: readonly string[]) => gitIn(path, args) };
  const processes: WorkspaceFixture["processes"] = [];
  const mounts: string[] = [];
  let failing: WorkspaceStep | null = null;
  let nonces = 0;
  const open = (reached: (step: WorkspaceStep) => Promise<void> | void) =>
    workspaces({
      home,
      userHome: join(folder.path, options.userHome ?? "user"),
      env: ENV,
      // Waits for a loaded machine.
      lookMs: options.lookMs ?? 60_000,
      now: () => fixture.now,
      newNonce: () => `nonce-${++nonces}`,
      processPlaces: async () => processes,
      mountPoints: async () => mounts,
      reached,
    });
  const fixture: WorkspaceFixture = {
    source,
    home,
    below: folder.path,
    processes,
    mounts,
    now: Date.parse("2026-01-01T00:00:00Z"),
    spaces: open((step) => {
      if (step === failing) throw FAILURE;
    }),
    failAt: (step: WorkspaceStep | null) => {
      failing = step;
    },
    killedAt: (step: WorkspaceStep, operation: (spaces: Workspaces) => Promise<unknown>) =>
      new Promise<void>((resolve, reject) => {
        const killed = open((reached) => {
          if (reached !== step) return;
          resolve();
          return new Promise(() => undefined);
        });
        operation(killed).then(() => reject(new Error(`${step} was not reached`)), reject);
      }),
    async make(
      kind: "worktree" | "clone" = "worktree",
      { name = "demo", branch, base, from }: { name?: string; branch?: string; base?: string; from?: string } = {},
    ) {
      const place = from ?? (kind === "worktree" ? source.path : join(folder.path, "origin.git"));
      const asked = kind === "worktree" ? { kind, directory: place } : { kind, from: place };
      const request = { sessionId: SESSION, name, projectId: "default", source: asked, branch: branch ?? null, base: base ?? null };
      return fixture.spaces.make(await fixture.spaces.plan(request), { request });
    },
    remove: (workspace: Workspace, remove: Partial<RemoveOptions> = {}) =>
      fixture.spaces.remove(workspace, { sessionId: SESSION, others: [], trashId: "trash-1", discard: false, ...remove }),
    restore: (workspace: Workspace, trashId = "trash-1") => fixture.spaces.restore(workspace, { sessionId: SESSION, trashId }),
    git: (directory: string, ...args: readonly string[]) => gitIn(directory, args),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
  return fixture;
}

/** Copies a repository with one commit and its bare remote. */
function copyFixture(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const config = join(to, "source", ".git", "config");
  writeFileSync(config, readFileSync(config, "utf8").replaceAll(from, to));
}

const pushedOnce = madeOnce((path) => {
  const source = join(path, "source");
  gitIn(path, ["init", "--quiet", "--template=", "source"]);
  writeFileSync(join(source, "file.txt"), "one\n");
  writeFileSync(join(source, ".gitignore"), "ignored/\n*.secret\n");
  gitIn(source, ["add", "."]);
  gitIn(source, ["commit", "--quiet", "-m", "first"]);
  gitIn(path, ["clone", "--quiet", "--bare", "--template=", source, "origin.git"]);
  gitIn(source, ["remote", "add", "origin", join(path, "origin.git")]);
  gitIn(source, ["fetch", "--quiet", "origin"]);
});

/** A digest of everything below a folder: names, kinds, modes, owners, link counts, targets and contents. Links are not followed. */
export function treeHash(root: string): string {
  return hashOf(root, { hides: () => false, seals: () => false, of: ({ mode, uid, ino, nlink }) => `${mode}\0${uid}\0${ino}\0${nlink}` });
}

/** The digest of a work tree's files only: contents, modes and links, without its git folder. */
export function filesHash(root: string): string {
  const hides = (name: string) => name === "/.git";
  return hashOf(root, { hides, seals: (name) => name.endsWith("/.git"), of: ({ mode }, name) => (name === "" ? "" : `${mode}`) });
}

interface Hashed {
  /** `hides` omits a path; `seals` includes it without its contents. */
  readonly hides: (name: string) => boolean;
  readonly seals: (name: string) => boolean;
  readonly of: (found: Stats, name: string) => string;
}

/** Names may be any bytes, so each character is one byte. */
function hashOf(root: string, { hides, seals, of }: Hashed): string {
  const hash = createHash("sha256");
  const visit = (name: string) => {
    const path = Buffer.from(`${root}${name}`, "latin1");
    const found = lstatSync(path);
    hash.update(`${name}\0${of(found, name)}\0`);
    if (found.isSymbolicLink()) hash.update(readlinkSync(path, "buffer"));
    else if (found.isFile() && !seals(name)) hash.update(readFileSync(path));
    else if (found.isDirectory())
      for (const child of readdirSync(path, "latin1").sort()) if (!hides(`${name}/${child}`)) visit(`${name}/${child}`);
  };
  visit("");
  return hash.digest("hex");
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
