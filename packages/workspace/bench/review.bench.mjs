// The cost of a review, as ratios to git's own commands, measured alternately in one run: the first page of 5,000 changed files, and the trees of a
// turn in a repository of 10,000 files.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspaces } from "@tmpm/workspace";
import { atEnd, benchmark, interruption } from "../../../scripts/bench/benchmark.mjs";
import { figure } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";
import { rounds } from "../../../scripts/bench/rounds.mjs";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const FILES = 10_000;
const CHANGED = 5_000;
const ENV = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
const folder = realpathSync(mkdtempSync(join(tmpdir(), "tmpm-bench-")));
const repository = join(folder, "repository");
const spaces = workspaces({ home: folder, env: ENV, inspectMs: 300_000, lookMs: 300_000 });

function git(...args) {
  const person = ["-c", "user.name=Demo", "-c", "user.email=demo@example.com", "-c", "maintenance.auto=false"];
  return execFileSync("git", ["-C", repository, ...person, ...args], { encoding: "utf8", env: ENV, maxBuffer: 256 * 1024 * 1024 });
}

function pathOf(index) {
  return join(repository, `folder-${index % 100}`, `file-${index}.txt`);
}

function textOf(index, round) {
  return Array.from({ length: 30 }, (_, line) => `line ${line} of file ${index}${line === 15 ? ` in round ${round}` : ""}\n`).join("");
}

function write(count, round) {
  for (let index = 0; index < count; index++) writeFileSync(pathOf(index), textOf(index, round));
}

async function timeOf(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median time of each, in ms. */
async function alternately(works, prepare = () => undefined) {
  const times = works.map(() => []);
  for (const round of rounds(Math.ceil(5 * scale), { withinMs: 60_000 * scale })) {
    interruption.throwIfAborted();
    prepare(round);
    for (const [index, work] of works.entries()) {
      const ms = await timeOf(() => work(round));
      if (round > 0) times[index].push(ms);
    }
  }
  return times.map(median);
}

function page(commit, more) {
  const fork = { commit, ref: "refs/heads/main", remote: null };
  return spaces.diff({ directory: repository, fork, base: null, turn: null, paths: [], stat: false, limit: 300, cursor: null, ...more });
}

async function diffs(commit) {
  write(CHANGED, "changed");
  const before = process.memoryUsage().rss;
  const first = await page(commit, {});
  if (first.total.files !== CHANGED || first.files.length !== 300) throw new Error(`the first page has ${first.files.length} files`);
  const [plain, patches, stat, next] = await alternately([
    () => git("diff", "--stat", commit),
    () => page(commit, {}),
    () => page(commit, { stat: true }),
    () => page(commit, { cursor: first.next }),
  ]);
  const beyond = "beyond `git diff --stat`";
  figure(`diff of ${CHANGED} files, first page, ${beyond}`, {
    value: patches - plain,
    unit: " ms",
    most: 300,
    detail: ratio(patches, plain),
  });
  figure(`diff of ${CHANGED} files, second page, ${beyond}`, { value: next - plain, unit: " ms", detail: ratio(next, plain) });
  figure(`diff of ${CHANGED} files, --stat, ${beyond}`, { value: stat - plain, unit: " ms", detail: ratio(stat, plain) });
  figure("memory after that, more than before", { value: (process.memoryUsage().rss - before) / 2 ** 20, unit: " MB" });
}

function ratio(ms, plain) {
  return `${(ms / plain).toFixed(2)} times as long`;
}

/** Each turn changes ten files. */
async function turns() {
  const key = { directory: repository, sessionId: "00000000-0000-4000-8000-000000000000" };
  const keep = async (edge, generation) => spaces.keepTurnTree({ ...key, generation, edge, tree: await spaces.snapshot(repository) });
  const [status, start, end] = await alternately(
    [() => git("status", "--porcelain"), (round) => keep("start", round + 1), (round) => keep("end", round + 1)],
    (round) => write(10, `turn ${round}`),
  );
  const both = start + end;
  figure(`trees of a turn in ${FILES} files, to two \`git status\``, { value: both / (2 * status), detail: `${both.toFixed(0)} ms here` });
  figure("shortest turn of which they take at most 5 %", { value: both / 50, unit: " s" });
}

await benchmark(async () => {
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  for (let index = 0; index < 100; index++) mkdirSync(join(repository, `folder-${index}`), { recursive: true });
  write(FILES, "first");
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "-m", "first");
  await turns();
  git("checkout", "--quiet", "--", ".");
  await diffs(git("rev-parse", "HEAD").trim());
});
