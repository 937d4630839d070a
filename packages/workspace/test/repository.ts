import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Repository {
  readonly path: string;
  /** Runs git in it as a person would, without our guards. */
  git(...args: readonly string[]): string;
  /** Writes an executable script into it and returns its path. */
  script(name: string, body: string): string;
  [Symbol.dispose](): void;
}

const ENV = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
const PERSON = ["-c", "user.name=Demo", "-c", "user.email=demo@example.com", "-c", "init.defaultBranch=main"];

/** A repository in a temporary folder, without a commit. */
export function openRepository(): Repository {
  const repository = openFolder();
  repository.git("init", "--quiet");
  return repository;
}

/** The same without a repository in it. */
export function openFolder(): Repository {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "tmpm-")));
  return {
    path,
    git: (...args) =>
      execFileSync("git", ["-C", path, ...PERSON, ...args], { encoding: "utf8", env: ENV, stdio: ["ignore", "pipe", "pipe"] }),
    script(name, body) {
      const file = join(path, name);
      writeFileSync(file, `#!/bin/sh\n${body}\n`);
      chmodSync(file, 0o755);
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
