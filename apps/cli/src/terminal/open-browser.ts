import { execFile, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core/errno";
import type { Context } from "../context.js";
import { findProgram } from "../system/programs.js";
import { replaceFile } from "../system/replace-file.js";

type Env = Context["env"];

/**
 * Opens a browser on the user's desktop. It gets a private file, not the address: a process's arguments can be read by every user of the
 * machine. False without a browser; no address is requested then.
 */
export async function openBrowser({ env, location }: Pick<Context, "env" | "location">, address: () => Promise<string>): Promise<boolean> {
  const program = browserOpener(env);
  if (program === null) return false;
  const file = (await fileInSnap(env)) ?? join(location().home, "open-in-browser.html");
  replaceFile(file, redirectTo(await address()));
  return starts(program, file);
}

/** The program that opens a file in the user's browser; null without a display, as over SSH. */
export function browserOpener(env: Env, platform: NodeJS.Platform = process.platform): string | null {
  if (env.SSH_CONNECTION || env.SSH_TTY) return null;
  if (platform === "darwin") return findProgram("open", env);
  return env.DISPLAY || env.WAYLAND_DISPLAY ? findProgram("xdg-open", env) : null;
}

/**
 * A file that the default browser can read if it is a snap: snaps have no access to hidden folders of the home. The folder is the snap's own;
 * null for other browsers.
 */
async function fileInSnap(env: Env): Promise<string | null> {
  const asked = findProgram("xdg-settings", env);
  if (asked === null || !env.HOME) return null;
  const [, name] = /^([a-z0-9-]+)(?:_[\w.-]+)?\.desktop$/.exec(await outputOf(asked, ["get", "default-web-browser"], env)) ?? [];
  if (name === undefined) return null;
  const folder = join(env.HOME, "snap", name, "common");
  return isFolder(folder) ? join(folder, "tmpm-open-in-browser.html") : null;
}

const ASK_MS = 3_000;

/** Empty if the program fails. */
function outputOf(program: string, args: readonly string[], env: Env): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, [...args], { env: { ...env }, timeout: ASK_MS, killSignal: "SIGKILL" }, (error, stdout) =>
      resolve(error === null ? stdout.trim() : ""),
    );
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "EACCES")) return false;
    throw error;
  }
}

/** The address contains only letters, digits and punctuation of URLs. */
function redirectTo(url: string): string {
  const safe = new URL(url).href.replaceAll("&", "&amp;").replaceAll('"', "%22").replaceAll("<", "%3C");
  return `<!doctype html>\n<meta charset="utf-8">\n<meta name="referrer" content="no-referrer">\n<meta http-equiv="refresh" content="0; url=${safe}">\n<title>tmpm</title>\n<a href="${safe}">Open tmpm</a>\n`;
}

function starts(program: string, file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [file], { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
