import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isTerminal, isTmpmError, type SessionRecord } from "@tmpm/core";
import { expect, test } from "vitest";
import { randomly } from "../fixtures/randomly.js";
import { repositoryFixture } from "../fixtures/repository-fixture.js";

const HOWS = ["merge", "squash", "rebase", "keep"] as const;
const RESTS = ["remove", "stop", "keep"] as const;
const MOST_LIVE = 4;
/** Longer than a removed workspace is in the trash. */
const RETENTION_MS = 40 * 24 * 60 * 60 * 1000;

/** State of a random walk: the written files, each with a unique name, and the places where sessions have worked. */
interface Walk {
  readonly written: string[];
  readonly places: Set<string>;
}

type RepositoryFixture = ReturnType<typeof repositoryFixture>;

test("work that exists only in a worktree is never lost by operations on its session and on others", { timeout: 3_600_000 }, async () => {
  const random = randomly();
  using fixture = repositoryFixture();
  for (const [key, value] of [
    ["user.name", "Demo"],
    ["user.email", "demo@example.com"],
  ] as const)
    fixture.git(fixture.repository, "config", key, value);
  const walk: Walk = { written: [], places: new Set() };
  const done: string[] = [];
  for (let round = 0; round < random.rounds(25); round++) {
    const records = await recordsOf(fixture);
    const live = records.filter((record) => !isTerminal(record));
    const record = live.length === 0 ? null : random.pick(live);
    const acting = { record, walk, random };
    const verbs = [
      ...verbsForAll(fixture, { ...acting, records, live: live.length }),
      ...(record === null ? [] : verbsOf(fixture, { ...acting, record })),
    ];
    const [name, verb] = random.pick(verbs);
    done.push(name);
    try {
      await verb();
    } catch (error) {
      // A refusal is a valid answer; the remaining files show whether it was correct.
      if (!isTmpmError(error)) throw error;
    }
    expect([...done.slice(-10), ...lost(fixture, walk)]).toEqual(done.slice(-10));
  }
  expect(fixture.git(fixture.repository, "fsck", "--no-dangling")).toBe("");
  expect(fixture.faults).toEqual([]);
});

async function recordsOf(fixture: RepositoryFixture): Promise<readonly SessionRecord[]> {
  return (await fixture.store.list()).flatMap((entry) => (entry.kind === "session" ? [entry.record] : []));
}

interface Acting {
  readonly walk: Walk;
  readonly random: ReturnType<typeof randomly>;
}

type Verb = readonly [string, () => Promise<unknown>];

type OfAll = Acting & { readonly records: readonly SessionRecord[]; readonly live: number };

/** Those that need no live session. */
function verbsForAll(fixture: RepositoryFixture, { walk, random, records, live }: OfAll): readonly Verb[] {
  const { sessions, repository, tmux } = fixture;
  const finished = records.filter((record) => isTerminal(record));
  const any = records.length === 0 ? null : random.pick(records);
  const keep_target = random.below(2) === 0;
  const making: readonly Verb[] = [
    [
      "new",
      async () => {
        const { session } = await sessions.create({ agent: "shell", cwd: repository, worktree: true });
        walk.places.add(session.record.cwd);
      },
    ],
    [
      "fan",
      async () => {
        const made = await sessions.fan({ cwd: repository, members: [{ agent: "shell" }, { agent: "shell" }] });
        for (const { session } of made.sessions) walk.places.add(session.record.cwd);
      },
    ],
  ];
  const restoring: readonly Verb[] =
    finished.length === 0 ? [] : [["restore", () => sessions.undo({ session: random.pick(finished).id, keep_target })]];
  const deleting: readonly Verb[] =
    any === null ? [] : [["delete", () => sessions.delete({ session: any.id, purge: random.below(2) === 0 })]];
  return [
    ...(live < MOST_LIVE ? making : []),
    ["undo", () => sessions.undo({ keep_target })],
    ...restoring,
    ...deleting,
    ["reconcile", () => sessions.reconcile()],
    ["restart of the daemon", () => fixture.restarted().reconcile()],
    ["housekeep", () => sessions.housekeep()],
    [
      "housekeep after the retention",
      async () => {
        tmux.advance(RETENTION_MS);
        fixture.setNow(tmux.now());
        await sessions.housekeep();
      },
    ],
  ];
}

function verbsOf(fixture: RepositoryFixture, { record, walk, random }: Acting & { readonly record: SessionRecord }): readonly Verb[] {
  const { sessions, git, repository } = fixture;
  const { id, name, cwd, group } = record;
  const write = async (name: string) => {
    if (!existsSync(cwd)) return;
    writeFileSync(join(cwd, name), `${name}\n`);
    walk.written.push(name);
  };
  const inWork = async (...args: readonly string[]) => void (existsSync(cwd) && quietly(() => git(cwd, ...args)));
  const next = `work-${walk.written.length}.txt`;
  const picking: readonly Verb[] =
    group === null ? [] : [["pick", () => sessions.pick({ session: id, how: random.pick(HOWS), rest: random.pick(RESTS) })]];
  const verbs: readonly Verb[] = [
    ["write", () => write(next)],
    [
      "write and commit",
      async () => {
        await write(next);
        await inWork("add", "--all");
        await inWork("commit", "--quiet", "-m", next);
      },
    ],
    [
      "write and stage",
      async () => {
        await write(next);
        await inWork("add", "--all");
      },
    ],
    [
      "detach and commit",
      async () => {
        await inWork("checkout", "--quiet", "--detach");
        await write(next);
        await inWork("add", "--all");
        await inWork("commit", "--quiet", "-m", next);
      },
    ],
    ["their commit", async () => void quietly(() => git(repository, "commit", "--quiet", "--allow-empty", "-m", "theirs"))],
    ["stop", () => sessions.stop({ session: id })],
    ["resume", () => sessions.resume({ session: id })],
    ["restart", () => sessions.restart({ session: id })],
    ["rename", () => sessions.rename({ session: id, name: `demo-${random.below(1000)}` })],
    ["diff", () => sessions.diff({ session: id })],
    ["remove", () => sessions.remove({ session: id })],
    ["preview", () => sessions.finish({ session: id, how: "squash", dry_run: true, commit: "all" })],
    ["finish", () => sessions.finish({ session: id, how: random.pick(HOWS) })],
    ["finish with commit", () => sessions.finish({ session: id, how: random.pick(HOWS), commit: "all of it" })],
    ...picking,
  ];
  return verbs.map(([verb, act]) => [`${verb} ${name}`, act]);
}

/** Files that are in no work tree, in no trash and in no commit that a ref leads to. */
function lost(fixture: RepositoryFixture, { written, places }: Walk): readonly string[] {
  const trash = join(fixture.home, "trash");
  const folders = [...places, ...(existsSync(trash) ? readdirSync(trash).map((name) => join(trash, name)) : [])];
  const standing = new Set(folders.flatMap((folder) => (existsSync(folder) ? namesBelow(folder) : [])));
  const missing = written.filter((name) => !standing.has(name));
  if (missing.length === 0) return [];
  const heads = folders
    .filter((folder) => existsSync(join(folder, ".git")))
    .flatMap((folder) => quietly(() => fixture.git(folder, "rev-parse", "HEAD").trim()) ?? []);
  const held = fixture.git(fixture.repository, "log", "--all", ...heads, "--format=", "--name-only").split("\n");
  const known = new Set(held);
  return missing.filter((name) => !known.has(name));
}

/** A work tree in the trash is one folder deeper. */
function namesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name !== ".git" ? namesBelow(join(folder, entry.name)) : [entry.name],
  );
}

/** Refusals by the user's git. */
function quietly<T>(task: () => T): T | null {
  try {
    return task();
  } catch (error) {
    if (error instanceof Error && "status" in error) return null;
    throw error;
  }
}
