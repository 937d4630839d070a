import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import type { Check } from "@tmpm/api";
import { checkPrivateDir, currentUid, lstatFacts } from "@tmpm/api/local";
import { isTmpmError } from "@tmpm/core";
import type { Context } from "./context.js";
import { askVersion, findProgram, installHint, reaches } from "./programs.js";

/** What can be checked without a daemon. */
export async function localChecks(context: Context): Promise<readonly Check[]> {
  const [git, tmux] = await Promise.all([
    program(context, { name: "git", flag: "--version", minimum: "2.20" }),
    program(context, { name: "tmux", flag: "-V", minimum: "3.2" }),
  ]);
  return [node(), git, tmux, ...folders(context)];
}

function node(): Check {
  const { node: version } = process.versions;
  if (reaches(version, "20.19") === true) return { name: "node", status: "ok", message: version, hint: null };
  return { name: "node", status: "fail", message: `${version} is too old`, hint: "Install Node 20.19 or newer from https://nodejs.org." };
}

interface Needed {
  readonly name: string;
  readonly flag: string;
  readonly minimum: string;
}

async function program({ env }: Context, { name, flag, minimum }: Needed): Promise<Check> {
  const hint = installHint(name, minimum);
  const path = findProgram(name, env);
  if (path === null) return { name, status: "fail", message: "not on your PATH", hint };
  const version = await askVersion(path, flag);
  if (version === null) return { name, status: "fail", message: `${path} does not tell its version`, hint };
  const recent = reaches(version, minimum);
  if (recent === null)
    return { name, status: "warn", message: `${version}: a version that cannot be compared with ${minimum}`, hint: null };
  return recent
    ? { name, status: "ok", message: `${version} (${path})`, hint: null }
    : { name, status: "fail", message: `${version} is too old (${path})`, hint };
}

function folders(context: Context): readonly Check[] {
  try {
    const { home, socket } = context.location();
    return [
      { name: "home", ...folderState(home) },
      { name: "socket", ...folderState(dirname(socket)), ...(lstatFacts(socket) === null ? {} : { message: socket }) },
    ];
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return [{ name: "folders", status: "fail", message: error.message, hint: error.hint }];
  }
}

function folderState(path: string): Pick<Check, "status" | "message" | "hint"> {
  if (!checkPrivateDir(path, currentUid())) return { status: "ok", message: `${path} (made when it is needed)`, hint: null };
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return { status: "ok", message: path, hint: null };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EROFS"))) throw error;
    return { status: "fail", message: `${path} is not writable`, hint: "Make it writable for you, or choose another with TMPM_HOME." };
  }
}
