import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure } from "./failure.mjs";

/** `version` is the argument that prints a program's version; npm, which starts slowly, is only located. */
const PROGRAMS = [
  { name: "npm", wants: "npm", packages: { apt: "npm", brew: "node" } },
  { name: "git", wants: "git", version: { args: ["--version"], accepts: () => true }, packages: { apt: "git", brew: "git" } },
  {
    name: "tmux",
    wants: "tmux 3.2a or newer",
    version: { args: ["-V"], accepts: isTmuxSupported },
    packages: { apt: "tmux", brew: "tmux" },
  },
];

/**
 * Programs named in `optional` are not required.
 * @throws Failure with exit code 6 and one line, before anything was written, when a program is missing or too old
 */
export function requirePrerequisites({ optional = [], env = process.env } = {}) {
  const faults = PROGRAMS.filter(({ name }) => !optional.includes(name))
    .map((program) => ({ program, fault: faultOf(program, env) }))
    .filter(({ fault }) => fault !== null);
  if (faults.length === 0) return;
  const wants = faults.map(({ program, fault }) => `${program.wants} (${fault})`).join(" and ");
  throw new Failure(`tmpm needs ${wants}. Install: ${installHint(faults.map(({ program }) => program.packages))}`, { exitCode: 6 });
}

/** `tmux -V` prints `tmux 3.3a`, `tmux next-3.6`, `tmux master` or `tmux openbsd-7.4`; a build without a version number counts as new. */
export function isTmuxSupported(output) {
  const version = /^tmux (next-)?(\d+)\.(\d+)([a-z]?)/.exec(output);
  if (version === null) return output.startsWith("tmux ");
  const [, next, major, minor, letter] = version;
  if (Number(major) !== 3 || Number(minor) !== 2) return Number(major) > 3 || (Number(major) === 3 && Number(minor) > 2);
  return next !== undefined || letter !== "";
}

function faultOf({ name, version }, env) {
  if (!isOnPath(name, env)) return "not found";
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
      return false; // It is missing or not executable: the next folder may have it.
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
