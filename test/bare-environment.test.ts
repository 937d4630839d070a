import { execFile } from "node:child_process";
import { mkdir, readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { world } from "./world.js";

const run = promisify(execFile);
const TMPM = resolve(import.meta.dirname, "../tmpm");

/** One of each kind: what lists, changes, follows, asks for a terminal, looks for itself. */
const LINES = [
  { argv: ["ls"], code: 6 },
  { argv: ["next"], code: 6 },
  { argv: ["rm", "demo"], code: 6 },
  { argv: ["send", "demo", "-"], code: 6 },
  { argv: ["events", "--follow"], code: 6 },
  { argv: ["wait", "demo"], code: 6 },
  { argv: ["attach", "demo"], code: 2 },
  { argv: ["top"], code: 2 },
  { argv: ["ls", "--helm"], code: 2 },
  { argv: ["ls", "--help"], code: 0 },
  { argv: ["__complete", "bash", "show", ""], code: 0 },
];

/** As a cron job or a service calls it: no variables but these, no terminal, no locale, and a daemon that is out of reach. */
test("without a terminal, a locale, an environment and a daemon, every kind of command ends and says so where it belongs", {
  timeout: 180_000,
}, async () => {
  await using w = await world();
  const onlyEnv = { PATH: w.env.PATH ?? "", LC_ALL: "C", TMPM_HOME: w.home, TMPM_URL: await deadAddress(), TMPM_TOKEN: "x" };
  const seen = await Promise.all(LINES.map(async ({ argv }) => ({ argv, ...(await w.tmpm(argv, { onlyEnv, input: "text" })) })));
  expect(seen.map(({ argv, code }) => ({ argv, code }))).toEqual(LINES);
  for (const { argv, code, stdout, stderr } of seen) {
    expect([argv, stdout === ""]).toEqual([argv, code !== 0 || argv[0] === "__complete"]);
    expect([argv, stderr]).toEqual([argv, code === 0 ? "" : expect.stringMatching(/^tmpm: [\x20-\x7e]+\n( {6}[\x20-\x7e]+\n)*$/)]);
  }
});

/** No TMPM_HOME: what tmpm finds by itself. No locale and no SHELL either. */
test("a home folder of 200 characters, a space in TMPDIR, few files and a umask that closes nothing change nothing, and all stays closed", {
  timeout: 120_000,
}, async () => {
  await using w = await world();
  const [home, runtime, temporary] = [join(w.dir, "x".repeat(100), "y".repeat(100)), join(w.dir, "run"), join(w.dir, "a b")];
  for (const folder of [home, runtime, temporary]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const env = { HOME: home, PATH: w.env.PATH ?? "", TMPDIR: temporary, XDG_RUNTIME_DIR: runtime, TMUX_TMPDIR: runtime };
  const tmpm = async (...argv: readonly string[]) =>
    (await run("sh", ["-c", 'umask 000; ulimit -n 128; exec "$0" "$@"', TMPM, ...argv], { env, cwd: w.dir })).stdout;
  try {
    await tmpm("new", "--name", "demo");
    await tmpm("send", "demo", "echo it-$((6*7))");
    await tmpm("wait", "demo", "--timeout", "60");
    expect(await tmpm("capture", "demo")).toContain("it-42");
  } finally {
    await tmpm("daemon", "stop");
    await run("tmux", ["-L", "tmpm", "kill-server"], { env });
  }
  const state = join(home, ".local", "state", "tmpm");
  const paths = [state, join(runtime, "tmpm"), ...(await readdir(state, { recursive: true })).map((name) => join(state, name))];
  const modes = await Promise.all(paths.map(async (path) => ({ path, open: (await stat(path)).mode & 0o077 })));
  expect(modes.length).toBeGreaterThan(10);
  expect(modes.filter(({ open }) => open !== 0)).toEqual([]);
});

/** Where nothing listens any more. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 1}`;
}
