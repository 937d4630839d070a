import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { eventually, type Fixture, fixture, gone } from "./fixture.js";

interface Cause {
  /** Required content of the message: the cause, then the remedy. */
  readonly says: RegExp;
  readonly argv: readonly string[];
  readonly provoke?: (w: Fixture) => Promise<void> | void;
  /** In the wording of the message. */
  readonly cure: (w: Fixture) => readonly string[];
}

const NAMES = /use 1-63 ASCII letters, digits, - and _, beginning with a letter or digit/i;

/** By action. */
const CAUSES: Readonly<Record<string, Cause>> = {
  "a list in invalid syntax": {
    argv: ["config", "set", "sessions.pass_env", "[EDITOR, PAGER]"],
    says: /list of names of variables: A,B on the command line/,
    cure: () => ["config", "set", "sessions.pass_env", "EDITOR,PAGER"],
  },
  "a new name with non-ASCII letters": { argv: ["rename", "there", "größe"], says: NAMES, cure: () => ["rename", "there", "there"] },
  "a project name with non-ASCII letters": {
    argv: ["new", "--project", "größe", "--", "cat"],
    says: NAMES,
    cure: () => ["new", "--project", "size", "--", "cat"],
  },
  "an owner name with non-ASCII letters": {
    argv: ["new", "--owner", "größe", "--", "cat"],
    says: NAMES,
    cure: () => ["new", "--owner", "size", "--", "cat"],
  },
  "a missing directory": {
    argv: ["new", "--cwd", "missing", "--", "cat"],
    says: /missing.*does not exist/s,
    cure: ({ dir }) => {
      mkdirSync(join(dir, "missing"));
      return ["new", "--cwd", "missing", "--", "cat"];
    },
  },
  "a missing program": {
    argv: ["new", "--", "no-such-program"],
    says: /no-such-program was not found.*absolute path/s,
    cure: () => ["new", "--", "cat"],
  },
  "a stopped session": {
    argv: ["send", "there", "hello"],
    provoke: async (w) => void (await w.tmpm(["stop", "there"])),
    says: /in state 'stopped'.*`tmpm resume there`/s,
    cure: () => ["resume", "there"],
  },
  "a worktree outside a repository": {
    argv: ["new", "--worktree", "--", "cat"],
    says: /not a git repository.*directory in a git repository/s,
    cure: ({ dir }) => {
      execFileSync("git", ["init", "-q", join(dir, "repository")]);
      return ["new", "--cwd", "repository", "--", "cat"];
    },
  },
  "an invalid value of a setting": {
    argv: ["config", "set", "log.level", "loud"],
    says: /log\.level is one of trace, debug, info/,
    cure: () => ["config", "set", "log.level", "info"],
  },
  "a name in use": {
    argv: ["new", "--name", "there", "--", "cat"],
    says: /already exists.*another name/s,
    cure: () => ["new", "--name", "another", "--", "cat"],
  },
  "an unknown host": {
    argv: ["new", "--host", "ptty", "--", "cat"],
    says: /host "ptty" does not exist.*tmux, pty, sdk/s,
    cure: () => ["new", "--host", "pty", "--", "cat"],
  },
  "a data folder that other users can read": {
    argv: ["ls"],
    provoke: async ({ home, stopDaemon }) => {
      await stopDaemon();
      chmodSync(home, 0o755);
    },
    says: /open to other users \(mode 755\).*mode 700/s,
    cure: ({ home }) => {
      chmodSync(home, 0o700);
      return ["ls"];
    },
  },
  "an unknown setting": {
    argv: ["new", "--", "cat"],
    provoke: async ({ env, stopDaemon }) => {
      await stopDaemon();
      writeConfig(env, "colour: blue\n");
    },
    says: /colour/,
    cure: ({ env }) => {
      writeConfig(env, "");
      return ["new", "--", "cat"];
    },
  },
};

function writeConfig({ HOME = "" }: Fixture["env"], text: string): void {
  mkdirSync(join(HOME, ".config/tmpm"), { recursive: true });
  writeFileSync(join(HOME, ".config/tmpm/config.yaml"), text);
}

test("each error names its cause and a remedy that works", { timeout: 300_000 }, async () => {
  await using w = await fixture();
  await w.json(["new", "--name", "there", "--", "cat"]);
  for (const [what, { provoke, argv, says, cure }] of Object.entries(CAUSES)) {
    await provoke?.(w);
    const { code, stderr } = await w.tmpm(argv);
    expect([what, code === 0, stderr]).toEqual([what, false, expect.stringMatching(says)]);
    const cured = await w.tmpm(cure(w));
    expect([what, cured]).toEqual([what, { ...cured, code: 0 }]);
  }
});

test("recreates a removed folder of sockets, also in the next daemon, and starts no running session again", {
  timeout: 300_000,
}, async () => {
  await using w = await fixture();
  const run = join(w.home, "run");
  const q = await w.json<SessionAnswer>(["new", "--name", "q", "--", "cat"]);
  rmSync(run, { recursive: true });
  await w.json(["new", "--name", "beside", "--", "cat"]);
  expect(readdirSync(run)).toEqual(expect.arrayContaining(["tmpm.sock", "tmux.sock"]));

  const pid = await w.daemonPid();
  process.kill(pid, "SIGKILL");
  await gone(pid);
  rmSync(run, { recursive: true });
  const third = await w.json<SessionAnswer>(["new", "--name", "third", "--", "cat"]);
  expect(third.pane?.server_pid).toBe(q.pane?.server_pid);
  const seen = await eventually(async () => {
    const { sessions } = await w.api.list({});
    return sessions.every(({ activity }) => Date.parse(activity.observed_at ?? "") > Date.parse(third.created_at)) ? sessions : null;
  });
  expect(seen.map(({ name, state, pid }) => [name, state, pid === q.pid])).toEqual([
    ["third", "active", false],
    ["beside", "active", false],
    ["q", "active", true],
  ]);
});
