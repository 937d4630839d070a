import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeDirectory, workspaces } from "@tmpm/workspace";
import type { Ports } from "../src/index.js";
import { lab } from "./lab.js";

const ENV = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
const PERSON = ["-c", "user.name=Demo", "-c", "user.email=demo@example.com", "-c", "init.defaultBranch=main"];

/** The lab with a real repository and real workspaces beside its pretended tmux. */
export function workshop() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tmpm-")));
  const home = join(folder, "home");
  const repository = join(folder, "proj");
  mkdirSync(home, { mode: 0o700 });
  const git = (directory: string, ...args: readonly string[]) =>
    execFileSync("git", ["-C", directory, ...PERSON, ...args], { encoding: "utf8", env: ENV, stdio: ["ignore", "pipe", "pipe"] });
  git(folder, "init", "--quiet", "--template=", repository);
  git(repository, "commit", "--quiet", "--allow-empty", "-m", "first");
  let now = 0;
  const ports: Partial<Ports> = {
    // Ids that differ at their beginning, which is in the directory's name.
    newId: randomUUID,
    describeDirectory: (path) => describeDirectory(path, { env: ENV }),
    workspaces: workspaces({
      home,
      userHome: join(folder, "user"),
      env: ENV,
      now: () => now,
      processPlaces: async () => [],
    }),
  };
  const bench = lab({ ports });
  return {
    ...bench,
    git,
    home,
    repository,
    setNow: (ms: number) => {
      now = ms;
    },
    branches: () => git(repository, "for-each-ref", "--format=%(refname:short)", "refs/heads").trim().split("\n"),
    left: () => (existsSync(join(home, "workspaces", "default")) ? readdirSync(join(home, "workspaces", "default")) : []),
    types: () => bench.events.map(({ type }) => type),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
