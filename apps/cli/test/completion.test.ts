import { execFile } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/commands.js";
import { complete } from "../src/completion/complete.js";
import { SCRIPTS } from "../src/completion/scripts.js";
import { flagOf } from "../src/flag.js";
import { findProgram } from "../src/programs.js";
import { answering, errorAnswer } from "./answering.js";
import { answeringByContract } from "./contract/answering-by-contract.js";
import { sessionAnswer } from "./session-answer.js";
import { temporaryDir } from "./temporary-dir.js";

const run = promisify(execFile);
const nobody = { TMPM_HOME: "/nowhere/at/all", TMPM_CONFIG: "/nowhere/config.yaml" };

const sessions = [
  sessionAnswer({ name: "web", task: "the page" }),
  sessionAnswer({ name: "api", agent: "claude" }),
  sessionAnswer({ name: "old", state: "stopped", status: "Stopped" }),
];

/** What can be completed, without what is said of it. */
async function values(words: readonly string[], { shell = "zsh", env = nobody }: { shell?: string; env?: Record<string, string> } = {}) {
  return (await complete(words, { shell, env })).map((line) => line.split("\t")[0]);
}

describe("completion, without a daemon", () => {
  test("knows the verbs, with what they do, and starts nothing", async () => {
    expect(await values([""])).toEqual([...COMMANDS.keys()]);
    expect(await values(["c"], { shell: "bash" })).toEqual([...COMMANDS.keys()].filter((verb) => verb.startsWith("c")));
    expect(await complete(["atta"], { shell: "fish", env: nobody })).toEqual(["attach\tShow a session in this terminal"]);
    expect(await values(["help", "atta"])).toEqual(["attach"]);
    expect(await values(["nosuch", ""])).toEqual([]);
  });

  test("knows every option of every command, and none that is there already", async () => {
    for (const [verb, load] of COMMANDS) {
      const flags = Object.keys((await load()).options).map(flagOf);
      expect([verb, await values([verb, "--"])]).toEqual([verb, [...flags, "--json", "--help"]]);
    }
    expect(await values(["ls", "--all", "--a"])).toEqual(["--archived"]);
  });

  test("knows states, hosts and actions, and leaves files to the shell", async () => {
    expect(await values(["wait", "web", "--for", "awaiting_"])).toEqual(["awaiting_approval", "awaiting_input"]);
    expect(await values(["new", "--host=p"])).toEqual(["--host=pty"]);
    expect(await values(["new", "--host", "=", "p"], { shell: "bash" })).toEqual(["pty"]);
    expect(await values(["daemon", "st"])).toEqual(["status", "start", "stop"]);
    expect(await values(["new", "--prompt-file", ""])).toEqual([":files"]);
    expect(await values(["new", "--cwd", ""])).toEqual([":directories"]);
    expect(await values(["new", "--", "npm", ""])).toEqual([":files"]);
    expect(await values(["new", "--name", ""])).toEqual([]);
  });

  test("says nothing where the daemon is not there, refuses or speaks of something else", async () => {
    expect(await values(["show", ""])).toEqual([]);
    await using refusing = await answering(() => errorAnswer(503, { code: "SHUTTING_DOWN", message: "no" }));
    expect(await values(["show", ""], { env: { TMPM_HOME: refusing.home } })).toEqual([]);
  });
});

test("completion asks a daemon that runs for sessions, agents and projects", async () => {
  await using daemon = await answering(() => ({ body: { sessions, problems: [], store: { state: "ok", message: null }, next: null } }));
  const env = { TMPM_HOME: daemon.home };
  expect(await complete(["show", "w"], { shell: "fish", env })).toEqual(["web\tidle, shell: the page"]);
  expect(await values(["attach", ""], { env })).toEqual(["web", "api"]);
  expect(await values(["resume", ""], { env })).toEqual(["old"]);
  expect(await values(["stop", "web", ""], { env })).toEqual(["api"]);
  await using example = await answeringByContract();
  expect(await values(["ls", "--project", ""], { env: { TMPM_HOME: example.home } })).not.toEqual([]);
  expect(await values(["new", "--agent", "cl"], { env: { TMPM_HOME: example.home } })).toEqual(["claude"]);
});

/** A tmpm that prints what it is asked, and what it is told to. */
function standIn() {
  const dir = temporaryDir();
  const program = join(dir.path, "tmpm");
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${dir.path}/asked\nprintf 'web\\tthe page\\nweb-2\\tanother\\n'\n`);
  chmodSync(program, 0o755);
  return {
    path: dir.path,
    env: { PATH: `${dir.path}:${process.env.PATH}`, HOME: dir.path },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const SHELLS = {
  bash: (words: readonly string[]) =>
    `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _tmpm; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words: readonly string[]) =>
    `_describe() { print -l -- "\${(@)found%%:*}"; }; words=(${words.join(" ")}); CURRENT=${words.length}; _tmpm`,
  fish: (words: readonly string[]) => `complete -C '${words.join(" ")}' | string replace -r '\\t.*' ''`,
} as const;

/** Without what the user has set up. */
const QUIETLY = { bash: ["--norc"], zsh: ["-f"], fish: ["--no-config"] } as const;

describe.each(["bash", "zsh", "fish"] as const)("the script for %s", (shell) => {
  const program = findProgram(shell, process.env);

  test("hands the words over as they are, runs nothing in them, and offers what tmpm says", { timeout: 60_000 }, async (context) => {
    if (program === null) return context.skip(`${shell} is not installed`);
    using here = standIn();
    const script = join(here.path, "script");
    const quoted = shell === "fish" ? "x" : `'$(touch ${here.path}/ran)'`;
    const again = shell === "zsh" ? "" : SCRIPTS[shell];
    const before = shell === "zsh" ? "compdef() { :; }\n" : "";
    writeFileSync(script, `${before}${SCRIPTS[shell]}\n${again}\n${SHELLS[shell](["tmpm", "show", quoted, "we"])}\n`);
    const { stdout, stderr } = await run(program, [...QUIETLY[shell], script], { env: here.env });
    expect({ offered: stdout.trim().split("\n"), stderr }).toEqual({ offered: ["web", "web-2"], stderr: "" });
    expect(existsSync(join(here.path, "ran"))).toBe(false);
    const asked = readFileSync(join(here.path, "asked"), "utf8");
    expect(asked.trim().split("\n")).toEqual(["__complete", shell, "show", quoted.replaceAll("'", ""), "we"]);
  });
});
