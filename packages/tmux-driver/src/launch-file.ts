import { randomBytes } from "node:crypto";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import type { CreateSpec } from "./driver.js";

const PREFIX = "launch-";
const STALE_MS = 60_000;
/** Names that a POSIX shell keeps to itself: setting one ends the script. */
const READ_ONLY = new Set(["PPID", "UID", "EUID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"]);

/** Writes the script that a pane's `/bin/sh` runs, readable by us alone, and returns its path. It removes itself before anything else. */
export async function writeLaunchFile(folder: string, spec: Pick<CreateSpec, "cwd" | "argv" | "env">): Promise<string> {
  const script = launchScript(spec);
  const path = join(folder, `${PREFIX}${randomBytes(12).toString("hex")}`);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(script);
  } finally {
    await file.close();
  }
  return path;
}

/** @throws INVALID_ARGUMENT for what a shell cannot set or run exactly */
export function launchScript({ cwd, argv, env }: Pick<CreateSpec, "cwd" | "argv" | "env">): string {
  if (argv[0] === "" || argv[0].startsWith("-")) throw invalid("argv", `${JSON.stringify(argv[0])} is no program`);
  for (const text of [cwd, ...argv, ...Object.values(env)]) {
    if (text.includes("\0")) throw invalid("argv", "a NUL cannot be in a directory, an argument or the environment");
  }
  const exports = Object.entries(env).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || READ_ONLY.has(name)) throw invalid("env", `${JSON.stringify(name)} cannot be set`);
    return `export ${name}=${shellQuoted(value)}`;
  });
  const lines = [
    'rm -f -- "$0" || command -p rm -f -- "$0"',
    `cd -- ${shellQuoted(cwd)} || exit 126`,
    ...exports,
    `exec ${argv.map(shellQuoted).join(" ")}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Removes what creations that were killed left behind. */
export async function removeStaleLaunchFiles(folder: string, now: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => now - mtimeMs,
      // Its own script has removed it meanwhile.
      () => 0,
    );
    if (age > STALE_MS) await rm(path, { force: true });
  }
}

function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function invalid(field: string, message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { details: { field } });
}
