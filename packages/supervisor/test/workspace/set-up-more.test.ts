import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryFixture } from "../fixtures/repository-fixture.js";

const YAML = `setup:
  run: ['echo "$TMPM_PORT_BASE $TMPM_PORT_WEB" >> ran.log']
  teardown: ['echo "$TMPM_SESSION_NAME $TMPM_PORT_API" >> "$TMPM_SOURCE/torn.log"', 'exit 3']
  ports: [web, api]
`;

function shopWith() {
  const busy = new Set([20_010]);
  const fixture = repositoryFixture(
    { ".tmpm.yaml": YAML, ".gitignore": "*.log\n.env*\nsecret/\n", "a.txt": "a\n" },
    { ports: { portsAreFree: async ({ from }) => !busy.has(from) } },
  );
  return {
    fixture,
    create: (name: string, setup?: boolean) =>
      fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name, setup }),
  };
}

describe("a workspace", { timeout: 240_000 }, () => {
  test("gets unused ports, releases them, and gets them again after an undo if they are free", async () => {
    const { fixture, create } = shopWith();
    using _ = fixture;
    const one = (await create("one", true)).session.record;
    const two = (await create("two")).session.record;
    expect([one.ports, two.ports]).toEqual([
      { base: 20_000, names: ["web", "api"] },
      { base: 20_020, names: ["web", "api"] },
    ]);
    expect(readFileSync(join(one.cwd, "ran.log"), "utf8")).toBe("20000 20000\n");
    await fixture.sessions.remove({ session: "one" });
    expect((await create("three", false)).session.record.ports?.base).toBe(20_000);
    expect((await fixture.sessions.undo({ session: "one" })).session.record.ports?.base).toBe(20_030);
    await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, name: "here" });
    expect((await fixture.sessions.show({ session: "here" })).record.ports).toBeNull();
  });

  test("is torn down before it goes to the trash, under the same consent; a failure does not prevent this", async () => {
    const { fixture, create } = shopWith();
    using _ = fixture;
    const torn = join(fixture.repository, "torn.log");
    await create("unasked");
    await fixture.sessions.remove({ session: "unasked" });
    expect(existsSync(torn)).toBe(false);
    const { cwd } = (await create("one", true)).session.record;
    writeFileSync(join(cwd, "work.txt"), "w\n");
    await expect(fixture.sessions.remove({ session: "one" })).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
    expect(existsSync(torn)).toBe(false);
    expect(await fixture.sessions.remove({ session: "one", discard: true })).toMatchObject({ workspace: { outcome: "trashed" } });
    expect(readFileSync(torn, "utf8")).toBe("one 20001\n");
    expect(fixture.events.find(({ type }) => type === "workspace_torn_down")).toMatchObject({ failed: "exit 3: ended with status 3" });
  });

  test("goes to the trash after a clean-up whose log cannot be written", async () => {
    const { fixture, create } = shopWith();
    using _ = fixture;
    writeFileSync(join(fixture.repository, ".tmpm.yaml"), "setup:\n  teardown: ['true']\n");
    fixture.git(fixture.repository, "commit", "--quiet", "--all", "-m", "a clean-up that succeeds");
    const { workspace } = (await create("one", true)).session.record;
    mkdirSync(join(workspace?.identity?.git_dir ?? "", "tmpm-teardown.log"));
    expect(await fixture.sessions.remove({ session: "one" })).toMatchObject({ workspace: { outcome: "trashed" } });
    const torn = fixture.events.find(({ type }) => type === "workspace_torn_down");
    expect(torn).toMatchObject({ failed: expect.stringContaining("tmpm-teardown.log") });
  });

  test("is set up again on request, under the same consent, and reports failures", async () => {
    const { fixture, create } = shopWith();
    using _ = fixture;
    const { cwd } = (await create("one")).session.record;
    await expect(fixture.sessions.setUpAgain({ session: "one" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await fixture.sessions.setUpAgain({ session: "one", consent: true });
    const { record } = await fixture.sessions.setUpAgain({ session: "one" });
    expect(record).toMatchObject({ state: "active", setup: { state: "done" } });
    expect(readFileSync(join(cwd, "ran.log"), "utf8")).toBe("20000 20000\n20000 20000\n");
    writeFileSync(join(cwd, ".tmpm.yaml"), "setup:\n  run: ['false']\n");
    await expect(fixture.sessions.setUpAgain({ session: "one", consent: true })).rejects.toMatchObject({ code: "SETUP_FAILED" });
    expect((await fixture.sessions.show({ session: "one" })).record).toMatchObject({
      state: "active",
      setup: { state: "failed", doing: "false" },
    });
  });

  test("has a failed set-up, not a running one, when the set-up cannot be run again", async () => {
    const { fixture, create } = shopWith();
    using _ = fixture;
    const { workspace } = (await create("one", true)).session.record;
    const log = join(workspace?.identity?.git_dir ?? "", "tmpm-setup.log");
    rmSync(log, { force: true });
    mkdirSync(log);
    await expect(fixture.sessions.setUpAgain({ session: "one", consent: true })).rejects.toThrow();
    expect((await fixture.sessions.show({ session: "one" })).record.setup).toMatchObject({ state: "failed" });
  });

  test("has copies of only those ignored files that .worktreeinclude names", async () => {
    const { fixture, create } = shopWith();
    using _ = fixture;
    const put = (name: string, text: string) => writeFileSync(join(fixture.repository, name), text);
    put(".worktreeinclude", ".env*\n*.txt\n!.env.skip\n");
    for (const name of [".env", ".env.local", ".env.skip", "x.log", "untracked.txt"]) put(name, `${name}\n`);
    const { cwd, workspace } = (await create("one")).session.record;
    const there = [".env", ".env.local", ".env.skip", "x.log", "untracked.txt"].filter((name) => existsSync(join(cwd, name)));
    expect(there).toEqual([".env", ".env.local"]);
    expect(workspace?.notes.filter((note) => note.includes("worktreeinclude"))).toEqual([]);
    expect(existsSync(join((await create("without", false)).session.record.cwd, ".env"))).toBe(false);
    for (let index = 0; index <= 500; index++) put(`.env.${index}`, "");
    expect((await create("many")).session.record.workspace?.notes.join()).toContain("more than 500");
  });
});
