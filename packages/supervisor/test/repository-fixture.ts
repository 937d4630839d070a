import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describeDirectory, examinePath, workspaces } from "@tmpm/workspace";
import type { Ports } from "../src/index.js";
import { CRASH, fixture } from "./fixture.js";

const ENV = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
/** Git would run maintenance of the repository, in an additional process for many commands. */
const PERSON = ["user.name=Demo", "user.email=demo@example.com", "init.defaultBranch=main", "maintenance.auto=false"].flatMap((setting) => [
  "-c",
  setting,
]);
/** Waits for a loaded machine. */
const PATIENCE_MS = 60_000;

/** The fixture with a real repository and real workspaces beside its fake tmux. The repository has one commit, with these files. */
export function repositoryFixture(files: Readonly<Record<string, string>> = {}, options: Parameters<typeof fixture>[0] = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tmpm-")));
  const home = join(folder, "home");
  const repository = join(folder, "proj");
  mkdirSync(home, { mode: 0o700 });
  cpSync(repositoryWith(files), repository, { recursive: true });
  let now = 0;
  let crashing: string | null = null;
  const ports: Partial<Ports> = {
    // Ids with distinct prefixes, which are part of the directory's name.
    newId: randomUUID,
    describeDirectory: (path) => describeDirectory(path, { env: ENV, timeoutMs: PATIENCE_MS }),
    examinePath,
    workspaces: workspaces({
      home,
      userHome: join(folder, "user"),
      env: ENV,
      now: () => now,
      inspectMs: PATIENCE_MS,
      lookMs: PATIENCE_MS,
      processPlaces: async () => [],
      reached: (step) => {
        if (step === crashing) throw CRASH;
      },
    }),
  };
  const bench = fixture({ ...options, ports: { ...ports, ...options.ports } });
  return {
    ...bench,
    git,
    home,
    repository,
    /** As `crashAt`, at a step of the workspaces. */
    crashInWorkspaceAt: (step: string | null) => {
      crashing = step;
    },
    setNow: (ms: number) => {
      now = ms;
    },
    branches: () => git(repository, "for-each-ref", "--format=%(refname:short)", "refs/heads").trim().split("\n"),
    left: () => (existsSync(join(home, "workspaces", "default")) ? readdirSync(join(home, "workspaces", "default")) : []),
    types: () => bench.events.map(({ type }) => type),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function git(directory: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", directory, ...PERSON, ...args], { encoding: "utf8", env: ENV, stdio: ["ignore", "pipe", "pipe"] });
}

const made = new Map<string, string>();

/** Made once and copied: otherwise these tests would spend most of their time on starting git. The test run removes it. */
function repositoryWith(files: Readonly<Record<string, string>>): string {
  const key = JSON.stringify(files);
  const path = made.get(key) ?? mkdtempSync(join(process.env.TMPM_TEST_PROGRAMS ?? tmpdir(), "made-"));
  if (made.has(key)) return path;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  git(path, "init", "--quiet", "--template=");
  git(path, "add", ".");
  git(path, "commit", "--quiet", "--allow-empty", "-m", "first");
  made.set(key, path);
  return path;
}
