import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";
import { oneLine } from "../render/one-line.js";
import { print } from "../terminal/output.js";
import { MAIN, packedProgram } from "./packed-program.js";
import { runOverSsh } from "./run-over-ssh.js";

export interface Installation {
  readonly host: string;
  /** Without a question. */
  readonly yes: boolean;
}

/** Where tmpm is installed on the node, and `$other`: empty if the command there is a link of an installation, or missing. */
const INSTALLED = [
  'base="$HOME/.local/share/tmpm"',
  'link="$HOME/.local/bin/tmpm"',
  'other=""',
  'if [ -L "$link" ]; then other="a link to $(readlink "$link")"; case "$(readlink "$link")" in */../*) ;; "$base"/*) other="" ;; esac; fi',
  'if [ ! -L "$link" ] && [ -e "$link" ]; then other="a file"; fi',
];

const PROBE = [
  ...INSTALLED,
  'printf "path=%s\\n" "$(tmpm --version 2>/dev/null)"',
  'printf "own=%s\\n" "$("$HOME/.local/bin/tmpm" --version 2>/dev/null)"',
  'printf "node=%s\\n" "$(node --version 2>/dev/null)"',
  'printf "home=%s\\n" "$HOME"',
  'printf "other=%s\\n" "$other"',
].join("; ");

const NODE = { major: 20, minor: 19 };
const OWN_COMMAND = "$HOME/.local/bin/tmpm node --stdio";

/**
 * Puts this version of tmpm on another machine, over ssh, unless it is there: below `~/.local` of the login user, and nowhere else.
 * Returns the command for its link; null for `tmpm` on the path. @throws NODE_OFFLINE, PREREQUISITE_MISSING
 */
export async function installOnNode(
  { env, version, json }: Pick<Context, "env" | "version" | "json">,
  { host, yes }: Installation,
): Promise<string | null> {
  const found = facts(await runOverSsh({ host, env, script: PROBE }));
  const present = found.path === version ? null : found.own === version ? OWN_COMMAND : undefined;
  if (present !== undefined) {
    print(`tmpm: tmpm ${version} is on ${host} already\n`, 2);
    return present;
  }
  requireNode(found.node, host);
  refuseOther(found, host);
  print(planOf({ host, version, ...found }), 2);
  if (!yes) await confirmed(json);
  using packed = packedProgram();
  const printed = await runOverSsh({ host, env, script: installing(version), input: await archiveOf(packed.dir) });
  if (printed.trim().split("\n").at(-1) === version) return OWN_COMMAND;
  throw new TmpmError("PREREQUISITE_MISSING", `tmpm was copied to ${host}, but does not run there`, {
    hint: `ssh ${host} '$HOME/.local/bin/tmpm --version'`,
  });
}

/** The output of a `tar` that has started. @throws PREREQUISITE_MISSING */
async function archiveOf(dir: string): Promise<Readable> {
  const tar = spawn("tar", ["-czf", "-", "-C", dir, "."], { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise<void>((settle, reject) => {
    tar.once("spawn", settle);
    tar.on("error", (error) =>
      reject(
        new TmpmError("PREREQUISITE_MISSING", `tar could not be started: ${error.message}`, {
          hint: "--install packs tmpm with the tar of this machine.",
          cause: error,
        }),
      ),
    );
  });
  return tar.stdout;
}

interface Facts {
  readonly path: string;
  readonly own: string;
  readonly node: string;
  readonly home: string;
  /** What the command's place has instead of a link to an installation; empty if it has nothing else. */
  readonly other: string;
}

/** As text that can be printed: it comes from the other machine. A login shell may print its own text before. */
function facts(printed: string): Facts {
  const of = (name: string) => oneLine(new RegExp(`^${name}=(.*)$`, "m").exec(printed)?.[1]?.trim() ?? "");
  return { path: of("path"), own: of("own"), node: of("node"), home: of("home"), other: of("other") };
}

function requireNode(node: string, host: string): void {
  const [, major = 0, minor = 0] = (/^v(\d+)\.(\d+)\./.exec(node) ?? []).map(Number);
  if (major > NODE.major || (major === NODE.major && minor >= NODE.minor)) return;
  throw new TmpmError("PREREQUISITE_MISSING", node === "" ? `Node was not found on ${host}` : `Node ${node} on ${host} is too old`, {
    hint: `Install Node ${NODE.major}.${NODE.minor} or newer there, on the path of a non-interactive shell: \`ssh ${host} node --version\`.`,
  });
}

function refuseOther({ home, other }: Facts, host: string): void {
  if (other === "") return;
  throw new TmpmError("PREREQUISITE_MISSING", `${home}/.local/bin/tmpm on ${host} was not made by --install: it is ${other}`, {
    hint: `Update that tmpm and add the node without --install, or move it away: \`ssh ${host} mv .local/bin/tmpm .local/bin/tmpm.old\`.`,
  });
}

function planOf({ host, version, path, own, home }: Facts & { readonly host: string; readonly version: string }): string {
  const before = own === "" ? "" : `, instead of tmpm ${own}`;
  return [
    `tmpm: --install copies tmpm ${version} to ${host}:`,
    `        ${home}/.local/share/tmpm/${version}  the program`,
    `        ${home}/.local/bin/tmpm  a link to it${before}`,
    ...(path === "" ? [] : [`      tmpm ${path} on the path there is left unchanged.`]),
    "      Nothing else is changed, and no package manager is run.",
    "",
  ].join("\n");
}

async function confirmed(json: boolean): Promise<void> {
  if (json || !process.stdin.isTTY)
    throw usageError("--install asks for confirmation, which requires a terminal", "Pass --yes to install without confirmation.");
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const said = await new Promise<string>((settle) => {
      asking.once("close", () => settle(""));
      asking.question("Continue? [y/N] ", settle);
    });
    if (/^y(?:es)?$/i.test(said.trim())) return;
  } finally {
    asking.close();
  }
  throw usageError("not confirmed; nothing was installed", "Without --install, tmpm must already be installed on the node.");
}

/**
 * A new version is complete before it gets its name; a command that the installation did not make is not replaced. Its files belong to the login user: without `-o`,
 * the tar of root would give them the owner's number on this machine.
 */
function installing(version: string): string {
  if (!/^[0-9A-Za-z.+-]+$/.test(version)) throw new Error(`not a version: ${version}`);
  return [
    "set -e",
    ...INSTALLED,
    'if [ -n "$other" ]; then echo "$link was not made by --install: it is $other" >&2; exit 1; fi',
    'new="$base/.new-$$"',
    'mkdir -p "$new" "$HOME/.local/bin"',
    'trap "rm -rf \\"$new\\"" EXIT',
    'tar -xzof - -C "$new"',
    `rm -rf "$base/${version}"`,
    `mv "$new" "$base/${version}"`,
    `chmod +x "$base/${version}/${MAIN}"`,
    `ln -sfn "$base/${version}/${MAIN}" "$link"`,
    '"$link" --version',
  ].join("; ");
}
