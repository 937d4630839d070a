import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure } from "./failure.mjs";

const NOT_FOUND = "not found";

/** `version` says how a program tells its own; npm, which takes its time to start, is only looked for. */
const PROGRAMS = [
  { name: "npm", wants: "npm", packages: { apt: "npm", brew: "node" } },
  { name: "git", wants: "git", version: { args: ["--version"], accepts: () => true }, packages: { apt: "git", brew: "git" } },
  {
    name: "tmux",
    wants: "tmux 3.2 or newer",
    version: { args: ["-V"], accepts: isTmuxSupported },
    packages: { apt: "tmux", brew: "tmux" },
  },
];

/**
 * Of what is named in `optional`, one that is missing is no fault; one that is too old is.
 * @throws Failure with exit code 6 and one line, before anything was written, when a program is missing or too old
 */
export function requirePrerequisites({ optional = [], env = process.env } = {}) {
  const faults = PROGRAMS.map((program) => ({ program, fault: faultOf(program, env) })).filter(
    ({ program, fault }) => fault !== null && !(fault === NOT_FOUND && optional.includes(program.name)),
  );
  if (faults.length === 0) return;
  const wants = faults.map(({ program, fault }) => `${program.wants} (${fault})`).join(" and ");
  throw new Failure(`tmpm needs ${wants}. Install: ${installHint(faults.map(({ program }) => program.packages))}`, { exitCode: 6 });
}

/** `tmux -V` says `tmux 3.3a`, `tmux next-3.6`, `tmux master` or `tmux openbsd-7.4`; a build without a number of its own counts as new. */
export function isTmuxSupported(output) {
  const version = /^tmux (?:next-)?(\d+)\.(\d+)/.exec(output);
  if (version === null) return output.startsWith("tmux ");
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > 3 || (major === 3 && minor >= 2);
}

function faultOf({ name, version }, env) {
  if (!isOnPath(name, env)) return NOT_FOUND;
  return version === undefined ? null : faultOfVersion(name, { ...version, env });
}

function faultOfVersion(name, { args, accepts, env }) {
  const result = spawnSync(name, args, { encoding: "utf8", env, timeout: 30_000 });
  if (result.error !== undefined) return `cannot be run: ${result.error.message}`;
  const output = firstLine(result.stdout);
  if (result.status !== 0) return `cannot be run: ${firstLine(result.stderr) || `exit code ${result.status}`}`;
  return accepts(output) ? null : `found ${output}`;
}

export function isOnPath(name, env) {
  return (env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false; // Missing or not ours to run: the next folder may have it.
    }
  });
}

function installHint(packages) {
  const apt = `sudo apt-get install ${packages.map((names) => names.apt).join(" ")}`;
  const brew = `brew install ${packages.map((names) => names.brew).join(" ")}`;
  return process.platform === "darwin" ? brew : `${apt} (Debian, Ubuntu) or ${brew}`;
}

function firstLine(text) {
  return text.split("\n", 1)[0].trim();
}
