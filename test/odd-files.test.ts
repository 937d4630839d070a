import { execFileSync } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Fixture, fixture } from "./fixture.js";

const GIB = 1024 ** 3;
const TARGET_TEXT = "not tmpm's\n";

/** What may lie in the place of a file of tmpm's. */
const SHAPES = {
  "a pipe": (path: string) => void execFileSync("mkfifo", [path]),
  "a folder": (path: string) => void mkdirSync(join(path, "inside"), { recursive: true }),
  "a symbolic link": (path: string, target: string) => symlinkSync(target, path),
  "a hard link": (path: string, target: string) => linkSync(target, path),
  "a sparse file of 1 GiB": (path: string) => {
    writeFileSync(path, "");
    truncateSync(path, GIB);
  },
} as const satisfies Record<string, (path: string, target: string) => void>;

/** The files of a home in which a daemon has run. */
function filesOf({ home }: Fixture): readonly string[] {
  const inFolder = (name: string) =>
    readdirSync(join(home, name))
      .filter((file) => !file.startsWith("."))
      .map((file) => join(home, name, file));
  return [
    join(home, "daemon.log"),
    join(home, "audit", "audit.jsonl"),
    join(home, "hooks", "report"),
    join(home, "tmux", "tmux.conf"),
    ...inFolder("events"),
    ...inFolder("tokens"),
  ];
}

/** The daemon's own log is never too large: it is put aside before. */
function isHealed(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || (stats.isFile() && stats.nlink === 1 && stats.size < GIB);
}

test.each(Object.entries(SHAPES))(
  "a daemon starts and says what is wrong with %s in the place of its files",
  { timeout: 180_000 },
  async (_shape, plant) => {
    await using w = await fixture();
    await w.json(["new", "--name", "kept", "--", "cat"]);
    await w.tmpm(["token", "create", "--scope", "observer", "--name", "mine", "--file", join(w.dir, "token")]);
    const files = filesOf(w);
    expect(files.length).toBeGreaterThanOrEqual(6);
    await w.stopDaemon();
    const targets = files.map((path, index) => ({ path, target: join(w.dir, `target-${index}`) }));
    for (const { path, target } of targets) {
      rmSync(path);
      writeFileSync(target, TARGET_TEXT);
      plant(path, target);
    }
    const listed = await w.tmpm(["ls"]);
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.stdout).toContain("kept");
    expect((await w.tmpm(["send", "kept", "a line"])).code).toBe(0);
    const doctor = await w.tmpm(["doctor"]);
    const said = `${doctor.stdout}${doctor.stderr}`.replaceAll(/\s+/g, " ");
    expect(files.filter((path) => !isHealed(path) && !said.includes(path))).toEqual([]);
    for (const { target } of targets) expect(readFileSync(target, "utf8")).toBe(TARGET_TEXT);
    expect((await w.tmpm(["stop", "kept"])).code).toBe(0);
  },
);

test("what lies in the place of the daemon's socket is not asked for anything, and is named", { timeout: 120_000 }, async () => {
  await using mine = await fixture();
  await using other = await fixture();
  await other.json(["new", "--name", "theirs", "--", "cat"]);
  await mine.json(["new", "--name", "ours", "--", "cat"]);
  await mine.stopDaemon();
  const socket = join(mine.home, "run", "tmpm.sock");
  const theirs = join(other.home, "run", "tmpm.sock");
  for (const plant of [
    () => symlinkSync(theirs, socket),
    () => linkSync(theirs, socket),
    () => writeFileSync(socket, ""),
    () => mkdirSync(socket),
  ]) {
    rmSync(socket, { force: true, recursive: true });
    plant();
    const { code, stdout, stderr } = await mine.tmpm(["ls"]);
    expect(code).not.toBe(0);
    expect(stdout).not.toContain("theirs");
    expect(stderr).toContain(socket);
  }
  rmSync(socket, { recursive: true });
  expect((await mine.tmpm(["ls"])).stdout).toContain("ours");
});
