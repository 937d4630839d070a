import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPTS = dirname(fileURLToPath(import.meta.url));

/** Fakes pnpm and the turbo it installs: creates their files, and records its calls in `calls`. */
const FAKE_PNPM = `#!/bin/sh
case "$1" in
  --version) echo 1.2.3 ;;
  install)
    echo "install" >> calls
    if [ -e fail ]; then echo "first words"; echo "last words" >&2; exit 9; fi
    mkdir -p node_modules/.pnpm node_modules/turbo/bin
    echo installed > node_modules/.modules.yaml
    cp pnpm-lock.yaml node_modules/.pnpm/lock.yaml
    cp turbo.js node_modules/turbo/bin/turbo ;;
  *) echo "$@" ;;
esac
`;
const FAKE_TURBO = `
const { appendFileSync, mkdirSync, writeFileSync } = require("node:fs");
appendFileSync("calls", "build begins\\n");
mkdirSync("packages/a/dist", { recursive: true });
writeFileSync("packages/a/dist/index.js", "built");
setTimeout(() => appendFileSync("calls", "build ends\\n"), 100);
`;

/** For tests: a temporary repository with these scripts, one package, and fakes of npm, git, tmux, pnpm and turbo. */
export function fakeRepository() {
  const root = mkdtempSync(join(tmpdir(), "tmpm-run-"));
  const path = (...parts) => join(root, ...parts);
  const write = (name, text) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  const program = (name, text) => {
    write(name, text.startsWith("#!") ? text : `#!/bin/sh\n${text}\n`);
    chmodSync(path(name), 0o755);
  };
  cpSync(SCRIPTS, path("scripts"), { recursive: true });
  write("package.json", JSON.stringify({ packageManager: "pnpm@1.2.3+sha512.0" }));
  write("pnpm-lock.yaml", "lock");
  write("packages/a/package.json", "{}");
  write("packages/a/src/index.ts", "source");
  write("turbo.js", FAKE_TURBO);
  program("bin/npm", "echo 11.0.0");
  program("bin/git", "echo git version 2.39.5");
  program("bin/tmux", "echo tmux 3.3a");
  program("bin/pnpm", FAKE_PNPM);
  for (const name of ["mkdir", "cp"]) program(`tools/${name}`, `PATH=/bin:/usr/bin exec ${name} "$@"`);
  return {
    path,
    write,
    program,
    run: (args, { env = {} } = {}) => run([path("scripts", "run.mjs"), ...args], { cwd: root, env: { ...environment(path), ...env } }),
    /** The recorded calls of the programs, one per line. */
    calls: () => readFileSync(path("calls"), "utf8").trim().split("\n"),
    remove: (name = ".") => rmSync(path(name), { recursive: true, force: true }),
  };
}

/** The PATH contains the repository's programs and those needed by shell scripts, but no Node. */
function environment(path) {
  return { HOME: path(), PATH: `${path("bin")}:${path("tools")}` };
}

function run(args, { cwd, env }) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const answer = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].on("data", (chunk) => (answer[name] += chunk));
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ ...answer, code: code ?? signal })));
}
