import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type MergeHow, type Workspaces, workspaces } from "../src/index.js";
import { type Bench, bench, users } from "./finish-bench.js";
import { ENV, write } from "./workspace-fixture.js";

const LINES = Array.from({ length: 9 }, (_, index) => `line ${index}\n`);
const HOWS: readonly MergeHow[] = ["merge", "squash", "rebase"];

function withLine(at: number, text: string): string {
  return LINES.map((line, index) => (index === at ? text : line)).join("");
}

/** Both sides changed `both.odd`, at different lines, and `same.odd`, at the same one; the driver `odd` is for both. */
async function diverged({ conflicting = false, driver = "odd" } = {}): Promise<Bench & Disposable> {
  const on = await bench();
  on.theirs(".gitattributes", `*.odd merge=${driver}\n`);
  on.theirs("both.odd", LINES.join(""));
  on.fixture.git(on.workspace.path, "reset", "--quiet", "--hard", "main");
  on.work("both.odd", withLine(1, "work\n"));
  on.theirs("both.odd", withLine(conflicting ? 1 : 7, "theirs\n"));
  return on;
}

function driverOf(on: Bench, name: string): { readonly script: string; readonly ran: () => boolean } {
  const ran = join(on.fixture.below, `${name}-ran`);
  const script = on.fixture.source.script(name, `touch '${ran}'; echo ${name} > "$1"`);
  return { script, ran: () => existsSync(ran) };
}

/** With a home folder that has a configuration. */
function withUsers(on: Bench, config: string): Workspaces {
  const home = join(on.fixture.below, "person");
  write(join(home, ".gitconfig"), config);
  return workspaces({ home: on.fixture.home, userHome: home, env: { ...ENV, HOME: home } });
}

describe("a merge driver", { timeout: 240_000 }, () => {
  test.each(HOWS)("of the repository is never run; %s merges with git's own", async (how) => {
    using on = await diverged();
    const driver = driverOf(on, "evil");
    on.fixture.source.git("config", "merge.odd.driver", `${driver.script} %A`);
    on.fixture.source.git("config", "extensions.worktreeConfig", "true");
    on.fixture.git(on.workspace.path, "config", "--worktree", "merge.default", "other");
    on.fixture.git(on.workspace.path, "config", "--worktree", "merge.other.driver", `${driver.script} %A`);
    expect((await on.fixture.spaces.previewFinish(on.request(how))).blocks).toEqual([]);
    await on.finish(how);
    expect(driver.ran()).toBe(false);
    const merged = LINES.map((line, index) => ({ 1: "work\n", 7: "theirs\n" })[index] ?? line).join("");
    expect(readFileSync(join(on.fixture.source.path, "both.odd"), "utf8")).toBe(merged);
  });

  test.each(["line\u2028separator", "carriage\rreturn", "dot.ted"])(
    "of the repository is never run, also with the name %j",
    async (name) => {
      using on = await diverged({ driver: name });
      const driver = driverOf(on, "evil");
      appendFileSync(join(on.fixture.source.path, ".git/config"), `[merge "${name}"]\n\tdriver = ${driver.script} %A\n`);
      await on.finish("merge");
      expect(driver.ran()).toBe(false);
    },
  );

  test("of the repository does not hide conflicts of text or binary files", async () => {
    using on = await diverged({ conflicting: true });
    const driver = driverOf(on, "evil");
    on.fixture.source.git("config", "merge.odd.driver", `${driver.script} %A`);
    on.theirs("binary.odd", "a\0b");
    on.work("binary.odd", "a\0c");
    const before = users(on.fixture);
    const { conflicts } = await on.fixture.spaces.previewFinish(on.request("squash"));
    expect(conflicts.map(({ path }) => path).sort()).toEqual(["binary.odd", "both.odd"]);
    expect(driver.ran()).toBe(false);
    expect(users(on.fixture)).toEqual(before);
  });

  test("of the user is run, even if the repository has one of the same name", async () => {
    using on = await diverged();
    const users = driverOf(on, "mine");
    const evil = driverOf(on, "evil");
    on.fixture.source.git("config", "merge.odd.driver", `${evil.script} %A`);
    const spaces = withUsers(on, `[merge "odd"]\n\tdriver = ${users.script} %A\n`);
    const { move } = await spaces.composeFinish(on.request("squash"));
    expect([users.ran(), evil.ran()]).toEqual([true, false]);
    expect(on.fixture.source.git("show", `${move.to}:both.odd`)).toBe("mine\n");
  });
});

describe("a hook of the user", { timeout: 240_000 }, () => {
  test("has the user's environment, without settings of ours, and can push", async () => {
    using on = await bench();
    const hooks = join(on.fixture.source.path, ".git", "hooks");
    mkdirSync(hooks, { recursive: true });
    const seen = join(on.fixture.below, "seen");
    const hook = (name: string, body: string) => {
      writeFileSync(join(hooks, name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(hooks, name), 0o755);
    };
    const names = ["pre-commit", "reference-transaction", "post-merge", "post-index-change", "commit-msg"];
    for (const name of names) hook(name, `env > '${seen}-${name}'`);
    hook("post-merge", `env > '${seen}-post-merge'; git push --quiet origin main`);
    const spaces = workspaces({
      home: on.fixture.home,
      userHome: join(on.fixture.below, "user"),
      env: { ...ENV, LC_ALL: "C.UTF-8", GIT_DIR: "/elsewhere" },
    });
    on.theirs("c.txt", "c\n");
    write(join(on.workspace.path, "a.txt"), "a\n");
    await spaces.commitWork(on.workspace, "Add a");
    const { move } = await spaces.composeFinish(on.request("squash"));
    await spaces.moveTarget({ ...move, why: "test" });
    await spaces.afterMerge(move);
    for (const name of names) {
      const environment = readFileSync(`${seen}-${name}`, "utf8").split("\n");
      expect(environment).toEqual(expect.arrayContaining(["LC_ALL=C.UTF-8", "GIT_TERMINAL_PROMPT=0"]));
      const ours = /^GIT_(ALLOW_PROTOCOL|NO_LAZY_FETCH|OPTIONAL_LOCKS|SSH_COMMAND|CONFIG_.*|DIR=\/elsewhere)/;
      expect(environment.filter((line) => ours.test(line))).toEqual([]);
    }
    expect(on.fixture.git(join(on.fixture.below, "origin.git"), "rev-parse", "main").trim()).toBe(move.to);
  });
});

describe("a push", { timeout: 240_000 }, () => {
  test("is refused when any of the remote's push URLs would run a program, and updates none of them", async () => {
    using on = await bench();
    on.work("a.txt", "a\n");
    const { path } = on.workspace;
    const origin = join(on.fixture.below, "origin.git");
    const plan = { remote: "origin", branch: "tmpm/pushed", commit: on.fixture.git(path, "rev-parse", "HEAD").trim() };
    const refs = on.fixture.git(origin, "for-each-ref");
    const ran = join(on.fixture.below, "push-ran");
    on.fixture.source.git("remote", "set-url", "--add", "--push", "origin", origin);
    on.fixture.source.git("remote", "set-url", "--add", "--push", "origin", `ext::touch ${ran}`);
    on.fixture.source.git("config", "protocol.ext.allow", "always");
    await expect(on.fixture.spaces.pushBranch({ directory: path, plan })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(on.fixture.git(origin, "for-each-ref")).toBe(refs);
    expect(existsSync(ran)).toBe(false);
    on.fixture.source.git("config", "--unset", "remote.origin.pushurl", "^ext");
    await on.fixture.spaces.pushBranch({ directory: path, plan });
    expect(on.fixture.git(origin, "rev-parse", "tmpm/pushed").trim()).toBe(plan.commit);
  });
});
