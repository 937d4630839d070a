import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeOnce } from "./made-once.js";

export interface Repository {
  readonly path: string;
  /** Runs git in it as a user would, without our guards. */
  git(...args: readonly string[]): string;
  /** Writes an executable script into it and returns its path. */
  script(name: string, body: string): string;
  [Symbol.dispose](): void;
}

const ENV = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
/** Git would run maintenance of the repository, in an additional process for many commands. */
const PERSON = [
  "user.name=Demo",
  "user.email=demo@example.com",
  "init.defaultBranch=main",
  "protocol.file.allow=always",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/** Git as a user runs it, without our guards. */
export function gitIn(directory: string, args: readonly string[]): string {
  return execFileSync("git", ["-C", directory, ...PERSON, ...args], { encoding: "utf8", env: ENV, stdio: ["ignore", "pipe", "pipe"] });
}

const emptyOnce = madeOnce((path) => void gitIn(path, ["init", "--quiet", "--template="]));
const committedOnce = madeOnce((path) => {
  cpSync(emptyOnce(), path, { recursive: true });
  gitIn(path, ["commit", "--quiet", "--allow-empty", "-m", "first"]);
});

/** A repository in a temporary folder, without a commit. */
export function openRepository(): Repository {
  return openCopy(emptyOnce());
}

/** The same with an empty commit. */
export function openCommitted(): Repository {
  return openCopy(committedOnce());
}

/** A folder that is a copy of another. */
export function openCopy(of: string): Repository {
  const folder = openFolder();
  cpSync(of, folder.path, { recursive: true });
  return folder;
}

/** An empty temporary folder. */
export function openFolder(): Repository {
  return folderAt(realpathSync(mkdtempSync(join(tmpdir(), "tmpm-"))));
}

export function folderAt(path: string): Repository {
  return {
    path,
    git: (...args) => gitIn(path, args),
    script(name, body) {
      const file = join(path, name);
      writeFileSync(file, `#!/bin/sh\n${body}\n`);
      chmodSync(file, 0o755);
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
