// How long the command line takes, as ratios to a bare `node -e 0` and to `tmux ls`, all measured side by side.
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROUNDS = 25 * Number(process.env.TMPM_TEST_SCALE ?? 1);
const program = resolve(import.meta.dirname, "../../../tmpm");
const home = mkdtempSync(join(tmpdir(), "tmpm-bench-"));
const env = { ...process.env, TMPM_HOME: join(home, "state") };
const socket = join(env.TMPM_HOME, "run", "tmux.sock");

const commands = {
  "node -e 0": [process.execPath, ["-e", "0"]],
  "tmux ls": ["tmux", ["-S", socket, "ls"]],
  "tmpm ls": [program, ["ls"]],
  "tmpm ls --json": [program, ["ls", "--json"]],
  "tmpm show bench": [program, ["show", "bench"]],
  "tmpm --help": [program, ["--help"]],
  "tmpm --version": [program, ["--version"]],
};

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

try {
  execFileSync(program, ["new", "--name", "bench", "--cwd", home], { env });
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, [file, args]] of Object.entries(commands)) {
      const started = process.hrtime.bigint();
      await run(file, args, { env });
      if (round > 0) times[name].push(Number(process.hrtime.bigint() - started) / 1e6);
    }
  }
  const node = times["node -e 0"];
  const tmux = times["tmux ls"];
  console.log(`${ROUNDS} rounds, medians of the ratios of each round`);
  for (const [name, values] of Object.entries(times)) {
    const ratio = (to) => median(values.map((value, index) => value / to[index])).toFixed(2);
    console.log(`${name.padEnd(18)} ${ratio(node).padStart(6)} x node -e 0  ${ratio(tmux).padStart(6)} x tmux ls`);
  }
} finally {
  await run(program, ["rm", "bench"], { env }).catch(() => undefined);
  await run(program, ["daemon", "stop"], { env }).catch(() => undefined);
  await run("tmux", ["-S", socket, "kill-server"]).catch(() => undefined);
  rmSync(home, { recursive: true, force: true });
}
