import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CRASH } from "./lab.js";
import { sampleOf } from "./sampled-hosts.js";
import { workshop } from "./workshop.js";

const RUN = "setup:\n  run:\n    - echo set up > ready\n";

/** A repository whose project file is committed, and which ignores what the set-up makes. */
function prepared(text: string) {
  const shop = workshop({ ".tmpm.yaml": text, ".gitignore": "ready\n.env\n" });
  const commit = (content: string) => {
    writeFileSync(join(shop.repository, ".tmpm.yaml"), content);
    shop.git(shop.repository, "commit", "--quiet", "--all", "-m", "project file");
  };
  const make = (more: object = {}) => shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "demo", ...more });
  return { ...shop, commit, make };
}

describe("the set-up of a project", { timeout: 240_000 }, () => {
  test("is not done while the user has not consented to it, and the session says so", async () => {
    using shop = prepared(RUN);
    const { session } = await shop.make();
    expect(session.record).toMatchObject({ state: "active", setup: { state: "not_trusted", sha256: expect.any(String) } });
    expect(existsSync(join(session.record.cwd, "ready"))).toBe(false);
    const other = await shop.make({ name: "other", setup: false });
    expect(other.session.record).toMatchObject({ state: "active", setup: null });
  });

  test("is done before the agent is launched, once its content was agreed to, until that changes", async () => {
    using shop = prepared(RUN);
    const trusted = await shop.sessions.trust({ path: shop.repository, trusted: true });
    expect(trusted).toMatchObject({ source: shop.repository, trusted: true, setup: { run: ["echo set up > ready"] } });
    const { session } = await shop.make();
    expect(session.record).toMatchObject({ state: "active", intent: null, setup: { state: "done", sha256: trusted.sha256, doing: null } });
    expect(readFileSync(join(session.record.cwd, "ready"), "utf8")).toBe("set up\n");
    expect(
      shop
        .types()
        .filter((type) => type.startsWith("workspace_"))
        .slice(-2),
    ).toEqual(["workspace_created", "workspace_set_up"]);
    shop.commit(`${RUN}    - touch more\n`);
    expect((await shop.make({ name: "later" })).session.record.setup).toMatchObject({ state: "not_trusted" });
    await shop.sessions.trust({ path: shop.repository, trusted: false });
    shop.commit(RUN);
    expect((await shop.make({ name: "last" })).session.record.setup).toMatchObject({ state: "not_trusted" });
  });

  test("is agreed to with the session that asks for it, for good", async () => {
    using shop = prepared(RUN);
    expect((await shop.make({ setup: true })).session.record.setup).toMatchObject({ state: "done" });
    expect((await shop.make({ name: "next" })).session.record.setup).toMatchObject({ state: "done" });
    const cloned = await shop.sessions.create({ agent: "shell", cwd: "/", repo: shop.repository, name: "clone" });
    expect(cloned.session.record.setup).toMatchObject({ state: "done" });
  });

  test("that fails leaves a session that says which line, with its last lines, in its workspace", async () => {
    using shop = prepared("setup:\n  run:\n    - touch ready\n    - echo almost; echo broken >&2; exit 7\n    - touch never\n");
    await expect(shop.make({ setup: true, prompt: "hello" })).rejects.toMatchObject({
      code: "SETUP_FAILED",
      message: expect.stringMatching(/exit 7: ended with status 7; its last line: broken$/),
      details: { last_lines: ["almost", "broken"] },
    });
    const { record } = await shop.sessions.show({ session: "demo" });
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
    expect(await shop.sessions.capture({ session: "demo" })).toMatchObject({ lines: ["almost", "broken"], live: false });
    expect((await shop.sessions.resume({ session: "demo" })).record).toMatchObject({ state: "active", cwd: record.cwd });
  });

  test("of a file that cannot be used is an error only for who asks for it", async () => {
    using shop = prepared("setup: {rum: [x]}\n");
    expect((await shop.make()).session.record.setup).toMatchObject({ state: "unreadable" });
    await expect(shop.make({ name: "other", setup: true })).rejects.toMatchObject({ code: "SETUP_FAILED" });
    await expect(shop.sessions.trust({ path: shop.repository, trusted: true })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(shop.sessions.trust({ path: shop.home, trusted: true })).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  test("keeps no other session waiting, and reports how far it is", async () => {
    using shop = prepared("setup:\n  run:\n    - while ! test -e ready; do sleep 0.2; done\n");
    const making = shop.make({ setup: true });
    await expect.poll(async () => (await shop.sessions.list({})).sessions[0]?.hint ?? "").toContain("Setting up its workspace: while");
    const other = await shop.sessions.create({ agent: "shell", cwd: shop.home, name: "other" });
    expect(other.session.record.state).toBe("active");
    const { sessions } = await shop.sessions.list({});
    const waiting = sessions.find(({ record }) => record.name === "demo");
    expect(waiting?.record.state).toBe("provisioning");
    // A look at everything leaves alone what is being worked on.
    expect((await shop.sessions.reconcile()).findings).toEqual([]);
    writeFileSync(join(waiting?.record.cwd ?? "", "ready"), "");
    expect((await making).session.record.state).toBe("active");
  });

  test.each(sampleOf(["create.preparing", "create.prepared"] as const))(
    "that a crash ends at %s is reported, and the workspace stays",
    async (step) => {
      using shop = prepared(RUN);
      shop.crashAt(step);
      await expect(shop.make({ setup: true })).rejects.toBe(CRASH);
      shop.crashAt(null);
      const again = shop.restarted();
      await again.reconcile();
      const { record } = await again.show({ session: "demo" });
      expect(record).toMatchObject({ state: "errored", intent: null, setup: { state: "failed" }, workspace_owned: true });
      expect(existsSync(join(record.cwd, "ready"))).toBe(step === "create.prepared");
      expect((await again.resume({ session: "demo" })).record.state).toBe("active");
    },
  );
});
