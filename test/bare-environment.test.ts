import { execFile } from "node:child_process";
import { mkdir, readdir, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { expect, test } from "vitest";
import { eventually, fixture } from "./fixture.js";

const run = promisify(execFile);
const TMPM = resolve(import.meta.dirname, "../tmpm");
/** A port without a listener, which no program gets unless it requests it. */
const DEAD_ADDRESS = "http://127.0.0.1:1";

/** The daemon observes the terminals once a second. */
const LOOKS_MS = 3_000;

/** One command of each kind: lists, changes, follows, needs a terminal, inspects by itself. */
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

/** As run by a cron job or a service: no variables but these, no terminal, no locale, and an unreachable daemon. */
test("every kind of command ends without a terminal, locale, environment and daemon, with errors on stderr only", {
  timeout: 180_000,
}, async () => {
  await using w = await fixture();
  const onlyEnv = { PATH: w.env.PATH ?? "", LC_ALL: "C", TMPM_HOME: w.home, TMPM_URL: DEAD_ADDRESS, TMPM_TOKEN: "x" };
  const seen = await Promise.all(LINES.map(async ({ argv }) => ({ argv, ...(await w.tmpm(argv, { onlyEnv, input: "text" })) })));
  expect(seen.map(({ argv, code }) => ({ argv, code }))).toEqual(LINES);
  for (const { argv, code, stdout, stderr } of seen) {
    expect([argv, stdout === ""]).toEqual([argv, code !== 0 || argv[0] === "__complete"]);
    expect([argv, stderr]).toEqual([argv, code === 0 ? "" : expect.stringMatching(/^tmpm: [\x20-\x7e]+\n( {6}[\x20-\x7e]+\n)*$/)]);
    if (argv[0] === "attach" || argv[0] === "top") expect(stderr).toMatch(/terminal/);
  }
});

/** No TMPM_HOME: tmpm uses its defaults. No locale and no SHELL either. */
test("tmpm works with a long home path, a space in TMPDIR, few file descriptors and umask 000, and keeps files private", {
  timeout: 180_000,
}, async () => {
  await using w = await fixture();
  const [home, runtime, temporary] = [join(w.dir, "x".repeat(100), "y".repeat(100)), join(w.dir, "run"), join(w.dir, "a b")];
  for (const folder of [home, runtime, temporary]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const env = { HOME: home, PATH: w.env.PATH ?? "", TMPDIR: temporary, XDG_RUNTIME_DIR: runtime, TMUX_TMPDIR: runtime };
  const tmpm = async (...argv: readonly string[]) =>
    (await run("sh", ["-c", 'umask 000; ulimit -n 128; exec "$0" "$@"', TMPM, ...argv], { env, cwd: w.dir })).stdout;
  try {
    await tmpm("new", "--name", "demo");
    const socket = join(runtime, "tmpm", "tmpm.sock");
    const { capture, send, health } = client({ transport: localTransport({ socket }) });
    await send({ session: "demo", text: "echo it-$((6*7))" });
    await eventually(async () => ((await capture({ session: "demo" })).lines.includes("it-42") ? true : null));
    const { pid } = await health();
    await takeAllFiles({ socket, pid, most: 128 });
    await send({ session: "demo", text: "echo it-$((7*7))" });
    await eventually(async () => ((await capture({ session: "demo" })).lines.includes("it-49") ? true : null));
    expect((await health()).pid).toBe(pid);
  } finally {
    await tmpm("daemon", "stop");
    await run("tmux", ["-L", "tmpm", "kill-server"], { env }).catch(noServer);
  }
  const state = join(home, ".local", "state", "tmpm");
  const paths = [state, join(runtime, "tmpm"), ...(await readdir(state, { recursive: true })).map((name) => join(state, name))];
  const modes = await Promise.all(paths.map(async (path) => ({ path, open: (await stat(path)).mode & 0o077 })));
  expect(modes.length).toBeGreaterThan(10);
  expect(modes.filter(({ open }) => open !== 0)).toEqual([]);
});

/**
 * Connects until the daemon closes connections to keep files for its own work, and for as long as it takes to observe its sessions several
 * times.
 */
async function takeAllFiles({ socket, pid, most }: { readonly socket: string; readonly pid: number; readonly most: number }) {
  const connections = Array.from({ length: most }, () => connect(socket).on("error", () => "it is full"));
  try {
    await eventually(async () => (connections.some(({ destroyed }) => destroyed) ? true : null));
    const until = performance.now() + LOOKS_MS;
    await eventually(async () => (performance.now() > until ? true : null));
  } finally {
    for (const connection of connections) connection.destroy();
  }
  await eventually(async () => ((await readdir(`/proc/${pid}/fd`)).length < most ? true : null));
}

/** None remain if no session could be started. */
function noServer(error: unknown): void {
  if (!/no server running|error connecting/.test(String(error))) throw error;
}
