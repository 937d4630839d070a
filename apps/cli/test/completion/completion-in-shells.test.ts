import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, type ExpectStatic, test } from "vitest";
import { SCRIPTS, type Shell } from "../../src/completion/scripts.js";
import { findProgram } from "../../src/system/programs.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

const run = promisify(execFile);

/** Writes its arguments to the file named by its name and the shell's, and offers candidates that begin with the last word. */
const STAND_IN = (offers: string) => `#!/bin/sh
printf '%s\\n' "$@" > "$0-$2"
for last; do :; done
case $last in
  my*) echo :files ;;
  --cwd=*) echo :directories ;;
  *) for offer in ${offers}; do case $offer in "$last"*) printf '%s\\twhat: it is\\n' "$offer" ;; esac done ;;
esac
`;

/** The text typed before the tab key, and the resulting line. */
const LINES = [
  ["tmpm show w", "tmpm show web-1"],
  ['tmpm show "w', 'tmpm show "web-1"'],
  ["FOO=1 tmpm stop 'x y' w", "FOO=1 tmpm stop 'x y' web-1"],
  ["tmpm new --cwd=my\\ f", "tmpm new --cwd=my\\ folder/"],
  ["tmpm new --file my\\ folder/o", "tmpm new --file my\\ folder/one\\ file"],
  ["./other/tmpm show w", "./other/tmpm show water"],
] as const;

const HOSTILE = `tmpm send web '$(touch ran)' "\`touch ran\`" '; touch ran' --fi`;

/** The arguments that start each shell with its usual installed completions, and without settings of the user. */
const BEGUN: Readonly<
  Record<Shell, (dir: string) => { readonly argv: readonly string[]; readonly files: Readonly<Record<string, string>> }>
> = {
  bash: (dir) => ({ argv: ["--rcfile", join(dir, "bashrc"), "-i"], files: { bashrc: `${SCRIPTS.bash}\n${SCRIPTS.bash}PS1='P> '\n` } }),
  zsh: () => ({
    argv: ["--no-global-rcs", "-i"],
    files: {
      ".zshrc": "fpath=(~/completions $fpath)\nautoload -Uz compinit && compinit -D -u\nPS1='P> '\n",
      "completions/_tmpm": SCRIPTS.zsh,
    },
  }),
  fish: (dir) => ({
    argv: ["--no-config", "--init-command", `source ${join(dir, "config.fish")}`],
    files: { "config.fish": `${SCRIPTS.fish}\nfunction fish_prompt; echo -n 'P> '; end\nset -g fish_autosuggestion_enabled 0\n` },
  }),
};

describe.concurrent.each(["bash", "zsh", "fish"] as const)("the tab key in %s", (shell) => {
  const program = findProgram(shell, process.env);

  test("completes candidates with the shell's quotes and folders, and executes nothing that is typed", {
    timeout: 300_000,
  }, async ({ expect, skip }) => {
    if (program === null) return skip(`${shell} is not installed`);
    await using terminal = await terminalOf(shell, { program, expect });
    for (const [typed, completed] of LINES) {
      await terminal.type(typed);
      await expect.poll(terminal.line, { message: typed }).toBe(completed);
    }
    await terminal.type(HOSTILE);
    await expect.poll(terminal.line).toBe(`${HOSTILE}le`);
    expect(existsSync(join(terminal.dir, "ran"))).toBe(false);
    // bash splits the words, and leaves quotes to the completion function.
    if (shell !== "bash") expect(terminal.asked()).toEqual(["send", "web", "$(touch ran)", "`touch ran`", "; touch ran", "--fi"]);
  });
});

/** An interactive shell: a temporary folder, with a tmpm on its path and another one in `other`. */
async function terminalOf(shell: Shell, { program, expect }: { readonly program: string; readonly expect: ExpectStatic }) {
  const folder = temporaryDir();
  const dir = folder.path;
  for (const name of ["bin", "other", "completions", "my folder"]) mkdirSync(join(dir, name));
  writeFileSync(join(dir, "my folder", "one file"), "");
  writeFileSync(join(dir, "bin", "tmpm"), STAND_IN("web-1 --file"), { mode: 0o755 });
  writeFileSync(join(dir, "other", "tmpm"), STAND_IN("water"), { mode: 0o755 });
  const { argv, files } = BEGUN[shell](dir);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const env = { PATH: `${join(dir, "bin")}:${process.env.PATH}`, HOME: dir, LC_ALL: "C.UTF-8", SHELL: "/bin/sh" };
  const tmux = async (...args: readonly string[]) =>
    (await run("tmux", ["-u", "-S", join(dir, "tmux"), ...args], { env, cwd: dir })).stdout;
  await tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "10", program, ...argv);
  const line = async () => /^P> ?(.*?)\s*$/m.exec(await tmux("capture-pane", "-p"))?.[1];
  await expect.poll(line, { message: `${shell} prompts` }).toBe("");
  return {
    dir,
    line,
    type: (text: string) => tmux("send-keys", "C-u", "C-l", ";", "send-keys", "-l", text, ";", "send-keys", "Tab"),
    asked: () =>
      readFileSync(join(dir, "bin", `tmpm-${shell}`), "utf8")
        .trimEnd()
        .split("\n")
        .slice(2),
    async [Symbol.asyncDispose]() {
      await tmux("kill-server");
      // A shell may still be writing its history.
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
