import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answerOf } from "../bootstrap/command.mjs";
import { personsEnvironment } from "../bootstrap/environment.mjs";
import { Failure } from "../bootstrap/failure.mjs";
import { isOnPath } from "../bootstrap/prerequisites.mjs";
import { note, step } from "../bootstrap/progress.mjs";
import { root } from "../bootstrap/root.mjs";
import { setUp } from "../bootstrap/set-up.mjs";

/** The session's name; the others are for the rare case that another home has such a session on the tmux server. */
const NAMES = ["demo", "demo-2", "demo-3", "demo-4", "demo-5"];
const NOT_FOUND = 3;
const CONFLICT = 4;
const TIMED_OUT = 5;
const NO_ANSWER = 6;

/** Sets everything up, ensures that the daemon and one shell session run, and shows them. Skips completed steps. */
export async function run() {
  const { built } = await setUp({ optional: ["tmux"] });
  if (!isOnPath("tmux", process.env)) note("tmux is not installed, so sessions run on tmpm's own PTYs");
  if (built) await renewDaemon();
  const name = await runningSession();
  for (const command of [["ls"], ["capture", name]]) {
    process.stdout.write(`\n$ ./tmpm ${command.join(" ")}\n${(await tmpm(command)).stdout.trimEnd()}\n`);
  }
  process.stdout.write(next(name));
  return 0;
}

function next(name) {
  return `
Next:
  ./tmpm send ${name} 'echo hello'
  ./tmpm attach ${name}
  ./tmpm web                       every session in a browser
  ./tmpm new --agent claude --cwd DIR --prompt 'what to do'
`;
}

/** A running daemon still has the code from before the build. One of another version is not restarted: tmpm explains what to do. */
async function renewDaemon() {
  const { code, stdout } = await tmpm(["daemon", "status", "--json"], { accept: [NO_ANSWER] });
  if (code === NO_ANSWER || JSON.parse(stdout).version !== version()) return;
  await step({ doing: "restarting the daemon", done: "daemon restarted with the new build; sessions keep running" }, () =>
    tmpm(["daemon", "restart"]),
  );
}

function version() {
  return JSON.parse(readFileSync(join(root, "apps", "cli", "package.json"), "utf8")).version;
}

/** The name of a running session: an already running one, else a resumed one, else a new one. */
async function runningSession() {
  for (const name of NAMES) {
    const state = await stateOf(name);
    if (state === "active") {
      note(`session ${name} is already running`);
      return name;
    }
    const done = (started) => (started ? `session ${name} runs` : `tmux has a session ${name} of another home: using another name`);
    if (await step({ doing: `starting session ${name}`, done }, () => startSession(name, state))) return name;
  }
  throw new Failure(`tmpm: every name from ${NAMES[0]} to ${NAMES.at(-1)} is taken in tmux`, { exitCode: CONFLICT });
}

/** Resolves with false, and without effect, when tmux has a session of this name that is not in the records. */
async function startSession(name, state) {
  if (state === "stopped" || state === "errored") await tmpm(["resume", name]);
  else if (state === null && !(await createSession(name))) return false;
  await tmpm(["wait", name, "idle", "--timeout", "15"], { accept: [TIMED_OUT] });
  return true;
}

/** A conflict with a session now in the records: another `npm start` was faster and created it. */
async function createSession(name) {
  const folder = process.env.INIT_CWD ?? process.cwd();
  const { code } = await tmpm(["new", "--agent", "shell", "--name", name, "--cwd", folder], { accept: [CONFLICT] });
  return code === 0 || (await stateOf(name)) !== null;
}

/** The record's state; null without a usable session. Several with the name as a prefix are a conflict. */
async function stateOf(name) {
  const { code, stdout } = await tmpm(["show", name, "--json"], { accept: [NOT_FOUND, CONFLICT] });
  if (code !== 0) return null;
  const session = JSON.parse(stdout);
  const isOther = session.name !== name || session.state === "decommissioned" || session.state === "deleted";
  return isOther ? null : session.state;
}

/** @throws Failure with tmpm's own words and exit code, unless the code is 0 or accepted */
async function tmpm(args, { accept = [] } = {}) {
  const answer = await answerOf([process.execPath, "apps/cli/dist/main.cjs", ...args], { env: personsEnvironment() });
  if (answer.code === 0 || accept.includes(answer.code)) return answer;
  throw new Failure(`${answer.stderr.trimEnd()}\ntmpm: \`./tmpm ${args.join(" ")}\` failed`, { exitCode: answer.code });
}
