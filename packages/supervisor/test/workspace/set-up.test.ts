import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CRASH } from "../fixtures/fixture.js";
import { repositoryFixture } from "../fixtures/repository-fixture.js";
import { sampleOf } from "../fixtures/sampled-hosts.js";

const RUN = "setup:\n  run:\n    - echo set up > ready\n";

/** A repository whose project file is committed, and which ignores the output of the set-up. */
function prepared(text: string) {
  const fixture = repositoryFixture({ ".tmpm.yaml": text, ".gitignore": "ready\n.env\n" });
  const commit = (content: string) => {
    writeFileSync(join(fixture.repository, ".tmpm.yaml"), content);
    fixture.git(fixture.repository, "commit", "--quiet", "--all", "-m", "project file");
  };
  const make = (more: object = {}) =>
    fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo", ...more });
  return { ...fixture, commit, make };
}

describe("the setup of a project", { timeout: 240_000 }, () => {
  test("does not run without the user's consent, and the session reports that", async () => {
    using fixture = prepared(RUN);
    const { session } = await fixture.make();
    expect(session.record).toMatchObject({ state: "active", setup: { state: "not_trusted", sha256: expect.any(String) } });
    expect(existsSync(join(session.record.cwd, "ready"))).toBe(false);
    const other = await fixture.make({ name: "other", setup: false });
    expect(other.session.record).toMatchObject({ state: "active", setup: null });
  });

  test("runs before the launch once its content is approved, until that content changes", async () => {
    using fixture = prepared(RUN);
    const trusted = await fixture.sessions.trust({ path: fixture.repository, trusted: true });
    expect(trusted).toMatchObject({ source: fixture.repository, trusted: true, setup: { run: ["echo set up > ready"] } });
    const { session } = await fixture.make();
    expect(session.record).toMatchObject({ state: "active", intent: null, setup: { state: "done", sha256: trusted.sha256, doing: null } });
    expect(readFileSync(join(session.record.cwd, "ready"), "utf8")).toBe("set up\n");
    expect(
      fixture
        .types()
        .filter((type) => type.startsWith("workspace_"))
        .slice(-2),
    ).toEqual(["workspace_created", "workspace_set_up"]);
    fixture.commit(`${RUN}    - touch more\n`);
    expect((await fixture.make({ name: "later" })).session.record.setup).toMatchObject({ state: "not_trusted" });
    await fixture.sessions.trust({ path: fixture.repository, trusted: false });
    fixture.commit(RUN);
    expect((await fixture.make({ name: "last" })).session.record.setup).toMatchObject({ state: "not_trusted" });
  });

  test("is approved permanently by a session that asks for it", async () => {
    using fixture = prepared(RUN);
    expect((await fixture.make({ setup: true })).session.record.setup).toMatchObject({ state: "done" });
    expect((await fixture.make({ name: "next" })).session.record.setup).toMatchObject({ state: "done" });
    const cloned = await fixture.sessions.create({ agent: "shell", cwd: "/", repo: fixture.repository, name: "clone" });
    expect(cloned.session.record.setup).toMatchObject({ state: "done" });
  });

  test("leaves a session in its workspace on failure, with the failed line and its last output", async () => {
    using fixture = prepared("setup:\n  run:\n    - touch ready\n    - echo almost; echo broken >&2; exit 7\n    - touch never\n");
    await expect(fixture.make({ setup: true, prompt: "hello" })).rejects.toMatchObject({
      code: "SETUP_FAILED",
      message: expect.stringMatching(/exit 7: ended with status 7; its last line: broken$/),
      details: { last_lines: ["almost", "broken"] },
    });
    const { record } = await fixture.sessions.show({ session: "demo" });
    expect(record).toMatchObject({
      state: "errored",
      intent: null,
      last_error: { code: "SETUP_FAILED", message: expect.stringContaining("exit 7") },
      last_lines: ["almost", "broken"],
      setup: { state: "failed", doing: expect.stringContaining("exit 7") },
      workspace_owned: true,
    });
    expect(existsSync(join(record.cwd, "ready"))).toBe(true);
    expect(existsSync(join(record.cwd, "never"))).toBe(false);
    expect(await fixture.sessions.capture({ session: "demo" })).toMatchObject({ lines: ["almost", "broken"], live: false });
    expect((await fixture.sessions.resume({ session: "demo" })).record).toMatchObject({ state: "active", cwd: record.cwd });
  });

  test("with an invalid file is an error only for callers that request the setup", async () => {
    using fixture = prepared("setup: {rum: [x]}\n");
    expect((await fixture.make()).session.record.setup).toMatchObject({ state: "unreadable" });
    await expect(fixture.make({ name: "other", setup: true })).rejects.toMatchObject({ code: "SETUP_FAILED" });
    await expect(fixture.sessions.trust({ path: fixture.repository, trusted: true })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(fixture.sessions.trust({ path: fixture.home, trusted: true })).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  test("does not delay other sessions, and reports its progress", async () => {
    using fixture = prepared("setup:\n  run:\n    - while ! test -e ready; do sleep 0.2; done\n");
    const making = fixture.make({ setup: true });
    await expect.poll(async () => (await fixture.sessions.list({})).sessions[0]?.hint ?? "").toContain("Setting up its workspace: while");
    const other = await fixture.sessions.create({ agent: "shell", cwd: fixture.home, name: "other" });
    expect(other.session.record.state).toBe("active");
    const { sessions } = await fixture.sessions.list({});
    const waiting = sessions.find(({ record }) => record.name === "demo");
    expect(waiting?.record.state).toBe("provisioning");
    // A full observation does not change a session that is being worked on.
    expect((await fixture.sessions.reconcile()).findings).toEqual([]);
    writeFileSync(join(waiting?.record.cwd ?? "", "ready"), "");
    expect((await making).session.record.state).toBe("active");
  });

  test.each(sampleOf(["create.preparing", "create.prepared"] as const))(
    "interrupted by a crash at %s is reported, and the workspace stays",
    async (step) => {
      using fixture = prepared(RUN);
      fixture.crashAt(step);
      await expect(fixture.make({ setup: true })).rejects.toBe(CRASH);
      fixture.crashAt(null);
      const again = fixture.restarted();
      await again.reconcile();
      const { record } = await again.show({ session: "demo" });
      expect(record).toMatchObject({ state: "errored", intent: null, setup: { state: "failed" }, workspace_owned: true });
      expect(existsSync(join(record.cwd, "ready"))).toBe(step === "create.prepared");
      expect((await again.resume({ session: "demo" })).record.state).toBe("active");
    },
  );
});
