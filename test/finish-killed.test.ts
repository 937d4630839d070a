import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CreateAnswer, SessionAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { eventually, type Fixture, fixture } from "./fixture.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const seed = Number(process.env.TMPM_TEST_SEED ?? 0);

/** Where git itself runs a program while it moves the branch and its checkout. Git continues when the daemon is killed there. */
const IN_GIT = ["git.prepared", "git.committed", "git.file", "git.index"] as const;
const FINISHING = [
  ...["finish.stopped", "finish.committed", "finish.intended", "workspace.target_moved", "finish.moved", "finish.recorded"],
  ...["remove.intended", "workspace.listed", "workspace.detached", "workspace.moved", "workspace.registered", "workspace.trashed"],
  ...["remove.trashed", ...IN_GIT],
];
const UNDOING = [
  ...["undo.intended", "workspace.target_moved", "undo.target_back", "workspace.restoring", "workspace.returned", "workspace.attached"],
  ...["undo.restored", "undo.unarchived", "undo.recorded", ...IN_GIT],
];

const ALL = [...FINISHING.map((point) => ["finish", point] as const), ...UNDOING.map((point) => ["undo", point] as const)];
/** One of each, selected by the seed; all of them at full scale. */
const CASES = scale >= 10 ? ALL : [FINISHING, UNDOING].map((points, index) => [index === 0 ? "finish" : "undo", chosen(points)] as const);

function chosen(points: readonly string[]): string {
  // Neighbours are alike, so that seeds in sequence try different parts.
  return points[(seed * 5 + 3) % points.length] ?? "";
}

const FINISH = ["finish", "demo", "--how", "squash", "--commit", "Work"];
const UNDO = ["undo", "demo"];

describe("kill -9 of the built daemon", () => {
  test.each(CASES)(
    "during %s at %s: branch, checkout, workspace and record agree, and no work is lost",
    { timeout: 300_000 },
    async (verb, point) => {
      await using w = await fixture();
      const before = startRepository(w.dir);
      const { cwd } = await w.json<CreateAnswer>(["new", "--worktree", "--name", "demo"]);
      writeFileSync(join(cwd, "work.txt"), "work\n");
      writeFileSync(join(cwd, "file.txt"), "two\n");
      if (verb === "undo") await w.json(FINISH);
      await w.stopDaemon();
      await killAt(w, point);
      expect((await w.tmpm(verb === "undo" ? UNDO : FINISH)).code).not.toBe(0);
      const session = await settled(w);
      const place = { w, cwd, before };
      await expectAgreement(place, session);
      if (session.state !== "decommissioned" && verb === "finish") await w.json(FINISH);
      const finished = await settled(w);
      await expectAgreement(place, finished);
      if (finished.state === "decommissioned") await w.json(UNDO);
      const undone = await settled(w);
      await expectAgreement(place, undone);
      expect(undone).toMatchObject({ state: "stopped", finished: null });
      expect(git(w.dir, "rev-parse", "main").trim()).toBe(before);
    },
  );
});

/** Starts a daemon that dies at a step of its own, or is killed by a program that git runs. */
async function killAt(w: Fixture, point: string): Promise<void> {
  const env = point.startsWith("git.") ? {} : { TMPM_FAILPOINT: `${point}:kill` };
  expect((await w.tmpm(["daemon", "start"], { env })).code).toBe(0);
  if (!point.startsWith("git.")) return;
  const armed = join(w.home, "..", "armed");
  const kill = `mv '${armed}' '${armed}.fired' 2>/dev/null && kill -9 "$(cat '${armed}.fired')"`;
  const hook = (name: string, body: string) => {
    const path = join(w.dir, ".git", "hooks", name);
    mkdirSync(join(w.dir, ".git", "hooks"), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${body}\nexit 0\n`);
    chmodSync(path, 0o755);
    return path;
  };
  if (point === "git.index") hook("post-index-change", `[ "$PWD" = '${w.dir}' ] && ${kill}`);
  else if (point === "git.file") {
    git(w.dir, "config", "filter.odd.smudge", hook("smudge", `[ "$PWD" = '${w.dir}' ] && ${kill} >&2\ncat`));
  } else hook("reference-transaction", `[ "$1" = ${point.slice("git.".length)} ] && grep -q refs/heads/main && ${kill}`);
  writeFileSync(armed, String(await w.daemonPid()));
}

interface Place {
  readonly w: Fixture;
  readonly cwd: string;
  readonly before: string;
}

async function expectAgreement({ w, cwd, before }: Place, session: SessionAnswer): Promise<void> {
  const merged = git(w.dir, "rev-parse", "main").trim() !== before;
  // A git that outlived the daemon may still write the checkout.
  await eventually(async () => (git(w.dir, "status", "--porcelain") === "" ? true : null));
  expect(existsSync(join(w.dir, "work.txt"))).toBe(merged);
  expect(readFileSync(join(w.dir, "file.txt"), "utf8")).toBe(merged ? "two\n" : "one\n");
  expect(git(w.dir, "fsck", "--no-dangling")).toBe("");
  expect(session.finished !== null).toBe(merged);
  expect(["stopped", "decommissioned"]).toContain(session.state);
  if (session.state === "decommissioned") expect([merged, existsSync(cwd)]).toEqual([true, false]);
  else expect(readFileSync(join(cwd, "work.txt"), "utf8")).toBe("work\n");
}

/** The only session once nothing of it is unfinished. */
async function settled(w: Fixture): Promise<SessionAnswer> {
  await w.tmpm(["ls"]);
  return eventually(async () => {
    const { sessions } = await w.api.list({ all: true });
    return sessions.length === 1 && sessions[0]?.intent === null ? sessions[0] : null;
  });
}

function git(directory: string, ...args: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-C", directory, ...args], { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Returns its commit. */
function startRepository(directory: string): string {
  git(directory, "init", "--quiet", "--initial-branch=main");
  git(directory, "config", "user.name", "Demo");
  git(directory, "config", "user.email", "demo@example.com");
  writeFileSync(join(directory, ".gitattributes"), "*.txt filter=odd\n");
  writeFileSync(join(directory, "file.txt"), "one\n");
  git(directory, "add", "--all");
  git(directory, "commit", "--quiet", "-m", "first");
  return git(directory, "rev-parse", "main").trim();
}
