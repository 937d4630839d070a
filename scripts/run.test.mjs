import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { personsEnvironment, toolEnvironment } from "./bootstrap/environment.mjs";
import { isTmuxSupported } from "./bootstrap/prerequisites.mjs";
import { root as repository } from "./bootstrap/root.mjs";

const SCRIPTS = dirname(fileURLToPath(import.meta.url));

/** Stands for pnpm and for the turbo that it installs: leaves what they leave, and notes in `calls` that it was run. */
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

let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tmpm-run-"));
  cpSync(SCRIPTS, join(root, "scripts"), { recursive: true });
  write("package.json", JSON.stringify({ packageManager: "pnpm@1.2.3+sha512.0" }));
  write("pnpm-lock.yaml", "lock");
  write("packages/a/package.json", "{}");
  write("packages/a/src/index.ts", "source");
  write("turbo.js", FAKE_TURBO);
  program("npm", "echo 11.0.0");
  program("git", "echo git version 2.39.5");
  program("tmux", "echo tmux 3.3a");
  program("pnpm", FAKE_PNPM);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function program(name, text) {
  write(`bin/${name}`, text.startsWith("#!") ? text : `#!/bin/sh\n${text}\n`);
  chmodSync(join(root, "bin", name), 0o755);
}

/** Runs a task in the temporary repository, where the PATH holds its programs and those that a shell script needs. */
function run(args, { env = {} } = {}) {
  const child = spawn(process.execPath, [join(root, "scripts", "run.mjs"), ...args], {
    cwd: root,
    env: { HOME: root, PATH: `${join(root, "bin")}:${toolsFolder()}`, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const answer = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].on("data", (chunk) => (answer[name] += chunk));
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ ...answer, code: code ?? signal })));
}

function toolsFolder() {
  const folder = join(root, "tools");
  for (const name of ["mkdir", "cp"]) write(`tools/${name}`, `#!/bin/sh\nPATH=/bin:/usr/bin exec ${name} "$@"\n`);
  for (const name of ["mkdir", "cp"]) chmodSync(join(folder, name), 0o755);
  return folder;
}

const calls = () => readFileSync(join(root, "calls"), "utf8").trim().split("\n");

describe("before anything is done", () => {
  test("a missing tmux is one line with what to install, exit 6, and nothing is written", async () => {
    rmSync(join(root, "bin", "tmux"));
    const { code, stdout, stderr } = await run(["build"]);
    expect([code, stdout]).toEqual([6, ""]);
    expect(stderr).toMatch(/^tmpm needs tmux 3\.2 or newer \(not found\)\. Install: .*install tmux.*\n$/);
    expect(existsSync(join(root, ".cache")) || existsSync(join(root, "node_modules"))).toBe(false);
  });

  test("everything that is missing or too old is named at once", async () => {
    rmSync(join(root, "bin", "git"));
    program("tmux", "echo tmux 2.9a");
    const { code, stderr } = await run(["start"]);
    expect(code).toBe(6);
    expect(stderr).toMatch(/^tmpm needs git \(not found\) and tmux 3\.2 or newer \(found tmux 2\.9a\)\. Install: .*git tmux.*\n$/);
  });

  test("a tmux that cannot be run is said to be so", async () => {
    program("tmux", "echo 'no such library' >&2; exit 127");
    expect((await run(["test"])).stderr).toContain("tmux 3.2 or newer (cannot be run: no such library)");
  });

  test("a task that does not exist is a usage error", async () => {
    expect(await run(["strat"])).toMatchObject({ code: 2, stderr: expect.stringContaining("usage:") });
  });
});

test.each([
  ["tmux 3.2", true],
  ["tmux 3.2a", true],
  ["tmux 3.3a", true],
  ["tmux 3.10", true],
  ["tmux 4.0", true],
  ["tmux next-3.6", true],
  ["tmux master", true],
  ["tmux openbsd-7.4", true],
  ["tmux 3.1c", false],
  ["tmux 2.9a", false],
  ["tmux next-3.1", false],
  ["screen 4.9", false],
])("%s is new enough: %s", (output, supported) => {
  expect(isTmuxSupported(output)).toBe(supported);
});

describe("a set-up", () => {
  test("installs, builds, and does nothing a second time", async () => {
    const first = await run(["build"]);
    expect(first).toMatchObject({ code: 0, stdout: "" });
    expect(first.stderr).toMatch(/installing dependencies \.\.\.\n.*dependencies installed.*\n.*building \.\.\.\n.*built/);
    expect(await run(["build"])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(calls()).toEqual(["install", "build begins", "build ends"]);
  });

  test.each([
    ["the lockfile changed", () => write("pnpm-lock.yaml", "other"), ["install", "build begins", "build ends"]],
    ["somebody else installed", () => write("node_modules/.modules.yaml", "other"), ["install"]],
    ["node_modules are gone", () => rmSync(join(root, "node_modules"), { recursive: true }), ["install"]],
    ["a source changed", () => write("packages/a/src/index.ts", "other"), ["build begins", "build ends"]],
    ["what was built changed", () => write("packages/a/dist/index.js", "other"), ["build begins", "build ends"]],
    ["what was built is gone", () => rmSync(join(root, "packages/a/dist"), { recursive: true }), ["build begins", "build ends"]],
    ["only a test changed", () => write("packages/a/test/a.test.ts", "other"), []],
  ])("repeats what is needed when %s", async (_title, change, expected) => {
    await run(["build"]);
    const before = calls().length;
    change();
    expect((await run(["build"])).code).toBe(0);
    expect(calls().slice(before)).toEqual(expected);
  });

  test("shows the whole output of a step that fails, and starts over at that step", async () => {
    write("fail", "");
    const failed = await run(["build"]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/first words\n[\s\S]*last words\n[\s\S]*failed with exit code 9/);
    rmSync(join(root, "fail"));
    expect((await run(["build"])).code).toBe(0);
    expect(calls()).toEqual(["install", "install", "build begins", "build ends"]);
  });

  test("is done once when four begin at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => run(["build"])));
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(calls()).toEqual(["install", "build begins", "build ends"]);
    expect(existsSync(join(root, ".cache", "set-up.lock"))).toBe(false);
  });

  test.each([
    ["was killed", JSON.stringify({ pid: process.pid, started: "another process with this number", host: hostname() })],
    ["lost its lock's content", ""],
  ])("takes over from one that %s", async (_title, holder) => {
    write(".cache/set-up.lock", holder);
    expect((await run(["build"])).code).toBe(0);
    expect(calls()).toEqual(["install", "build begins", "build ends"]);
  });

  test("works without a home, and keeps what tools keep there in .cache", async () => {
    expect((await run(["build"], { env: { HOME: "" } })).code).toBe(0);
    expect(existsSync(join(root, ".cache", "home"))).toBe(true);
  });

  test("runs the tools with the Node that runs it, and takes nothing else from that Node's folder", async () => {
    program("node", "echo another Node; exit 1");
    program("pnpm", '#!/bin/sh\ncase "$1" in --version) echo 1.2.3 ;; *) node --version; echo "$PATH" ;; esac\n');
    const { stdout } = await run(["pnpm", "exec"]);
    expect(stdout).toBe(`${process.version}\n${join(root, ".cache", "node")}:${join(root, "bin")}:${join(root, "tools")}\n`);
  });

  test("hands any arguments to the pinned pnpm", async () => {
    expect(await run(["pnpm", "why", "zod"])).toEqual({ code: 0, stdout: "why zod\n", stderr: "" });
  });
});

describe("the environment", () => {
  const viaNpm = {
    HOME: tmpdir(),
    PATH: `${repository}/node_modules/.bin:/node_modules/.bin:/lib/npm/node-gyp-bin:/usr/bin:/home/me/other/node_modules/.bin`,
    INIT_CWD: "/home/me",
    NODE: "/usr/bin/node",
    npm_lifecycle_event: "test",
    npm_package_name: "tmpm-repo",
    npm_config_registry: "https://registry.example/",
    npm_config_https_proxy: "http://proxy.example",
    npm_config_noproxy: "",
    npm_config_user_agent: "npm",
    NPM_CONFIG_CAFILE: "/etc/ca.pem",
    EDITOR: "ed",
  };

  test("of a person has nothing of npm's", () => {
    expect(personsEnvironment(viaNpm)).toEqual({ HOME: tmpdir(), EDITOR: "ed", PATH: "/usr/bin:/home/me/other/node_modules/.bin" });
  });

  test("of a tool keeps how to reach a registry and how to compile", () => {
    const env = toolEnvironment({ folders: ["/pnpm"], env: viaNpm });
    expect(env.PATH.split(":")[0]).toBe("/pnpm");
    expect(Object.keys(env).filter((name) => /npm_/i.test(name) && name !== "npm_config_nodedir")).toEqual([
      "npm_config_registry",
      "npm_config_https_proxy",
      "NPM_CONFIG_CAFILE",
      "npm_config_update_notifier",
    ]);
    expect(env.TURBO_TELEMETRY_DISABLED).toBe("1");
  });
});
