import { answerOf } from "../bootstrap/command.mjs";
import { personsEnvironment } from "../bootstrap/environment.mjs";
import { Failure } from "../bootstrap/failure.mjs";
import { note, step } from "../bootstrap/progress.mjs";
import { setUp } from "../bootstrap/set-up.mjs";

const SESSION = "demo";
const NOT_FOUND = 3;
const CONFLICT = 4;
const TIMED_OUT = 5;

const NEXT = `Next:
  ./tmpm send ${SESSION} 'echo hello'
  ./tmpm attach ${SESSION}
  ./tmpm new --agent claude --cwd DIR --prompt 'what to do'
`;

/** Sets everything up, makes sure that the daemon and one shell session run, and shows them. Repeats nothing that is done. */
export async function run() {
  await setUp();
  const state = await stateOfSession();
  if (state === "active") note(`session ${SESSION} runs already`);
  else await step({ doing: `starting session ${SESSION}`, done: `session ${SESSION} started` }, () => startSession(state));
  for (const command of [["ls"], ["capture", SESSION]]) {
    process.stdout.write(`\n$ ./tmpm ${command.join(" ")}\n${(await tmpm(command)).stdout.trimEnd()}\n`);
  }
  process.stdout.write(`\n${NEXT}`);
  return 0;
}

async function startSession(state) {
  if (state === "stopped" || state === "errored") await tmpm(["resume", SESSION]);
  else if (state !== "provisioning") await createSession();
  await tmpm(["wait", SESSION, "idle", "--timeout", "15"], { accept: [TIMED_OUT] });
}

/** Another `npm start` may have been faster; then the name is taken by just the session that was wanted. */
async function createSession() {
  const folder = process.env.INIT_CWD ?? process.cwd();
  const { code, stderr } = await tmpm(["new", "--agent", "shell", "--name", SESSION, "--cwd", folder], { accept: [CONFLICT] });
  if (code === CONFLICT && (await stateOfSession()) === null) throw new Failure(stderr.trimEnd(), { exitCode: code });
}

/** The record's state; null when there is no session to go on with. */
async function stateOfSession() {
  const { code, stdout } = await tmpm(["show", SESSION, "--json"], { accept: [NOT_FOUND] });
  if (code === NOT_FOUND) return null;
  const { state } = JSON.parse(stdout);
  return state === "decommissioned" || state === "deleted" ? null : state;
}

/** @throws Failure with tmpm's own words and exit code, unless the code is 0 or accepted */
async function tmpm(args, { accept = [] } = {}) {
  const answer = await answerOf([process.execPath, "apps/cli/dist/main.cjs", ...args], { env: personsEnvironment() });
  if (answer.code === 0 || accept.includes(answer.code)) return answer;
  throw new Failure(`${answer.stderr.trimEnd()}\ntmpm: \`./tmpm ${args.join(" ")}\` failed`, { exitCode: answer.code });
}
