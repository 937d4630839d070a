import { execFileSync } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Fixture, sharedFixture } from "./fixture.js";

const GIB = 1024 ** 3;
const TARGET_TEXT = "not tmpm's\n";

/** Things that may exist in the place of one of tmpm's files. */
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

/** The daemon's own log is never too large: it is rotated before. */
function isHealed(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || (stats.isFile() && stats.nlink === 1 && stats.size < GIB);
}

/** By default each file gets two of the shapes, so that each shape is tested on about every second file; at full scale all of them. */
const ROUNDS = Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10 ? Object.keys(SHAPES).length : 2;
const shapeOf = ({ round, index }: { readonly round: number; readonly index: number }) => {
  const shapes = Object.entries(SHAPES);
  const [name, plant] = shapes[(2 * round + index) % shapes.length] ?? (shapes[0] as (typeof shapes)[number]);
  return { name, plant };
};

const shared = sharedFixture();

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  "a daemon starts and reports unexpected files in place of its own (round %i)",
  { timeout: 180_000 },
  async (round) => {
    const w = shared();
    await w.json(["new", "--name", `kept${round}`, "--", "cat"]);
    await w.tmpm(["token", "create", "--scope", "observer", "--name", `mine${round}`, "--file", join(w.dir, `token${round}`)]);
    const files = filesOf(w);
    expect(files.length).toBeGreaterThanOrEqual(6);
    await w.stopDaemon();
    const planted = files.map((path, index) => ({ path, target: join(w.dir, `target-${round}-${index}`), ...shapeOf({ round, index }) }));
    for (const { path, target, plant } of planted) {
      rmSync(path, { recursive: true });
      writeFileSync(target, TARGET_TEXT);
      plant(path, target);
    }
    const listed = await w.tmpm(["ls"]);
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.stdout).toContain(`kept${round}`);
    expect((await w.tmpm(["send", `kept${round}`, "a line"])).code).toBe(0);
    const doctor = await w.tmpm(["doctor"]);
    const said = `${doctor.stdout}${doctor.stderr}`.replaceAll(/\s+/g, " ");
    expect(planted.filter(({ path }) => !isHealed(path) && !said.includes(path)).map(({ path, name }) => [path, name])).toEqual([]);
    for (const { target } of planted) expect(readFileSync(target, "utf8")).toBe(TARGET_TEXT);
    expect((await w.tmpm(["stop", `kept${round}`])).code).toBe(0);
  },
);

test("sends no request to a foreign file or socket at the daemon's socket path, and names it", { timeout: 120_000 }, async () => {
  const mine = shared();
  const theirs = join(mine.dir, "theirs.sock");
  let asked = 0;
  const other = createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((resolve, reject) => other.on("error", reject).listen(theirs, resolve));
  await mine.json(["new", "--name", "ours", "--", "cat"]);
  await mine.stopDaemon();
  const socket = join(mine.home, "run", "tmpm.sock");
  try {
    for (const plant of [
      () => symlinkSync(theirs, socket),
      () => linkSync(theirs, socket),
      () => writeFileSync(socket, ""),
      () => mkdirSync(socket),
    ]) {
      rmSync(socket, { force: true, recursive: true });
      plant();
      const { code, stderr } = await mine.tmpm(["ls"]);
      expect(code).not.toBe(0);
      expect(stderr).toContain(socket);
    }
    expect(asked).toBe(0);
  } finally {
    rmSync(socket, { force: true, recursive: true });
    await new Promise((resolve) => other.close(resolve));
  }
  expect((await mine.tmpm(["ls"])).stdout).toContain("ours");
});
