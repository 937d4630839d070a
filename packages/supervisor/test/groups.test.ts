import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workshop } from "./workshop.js";

type Shop = ReturnType<typeof workshop>;

async function fanned(shop: Shop, more: { readonly group?: string; readonly check?: string } = {}) {
  for (const [key, value] of [
    ["user.name", "Demo"],
    ["user.email", "demo@example.com"],
  ] as const)
    shop.git(shop.repository, "config", key, value);
  const made = await shop.sessions.fan({
    cwd: shop.repository,
    members: [{ agent: "shell" }, { agent: "shell" }, { agent: "shell" }],
    group: "try",
    ...more,
  });
  const cwds = made.sessions.map(({ session }) => session.record.cwd);
  return { ...made, cwds, cwd: (index: number) => cwds[index] ?? "" };
}

function work(shop: Shop, cwd: string, name: string): void {
  writeFileSync(join(cwd, name), "w\n");
  shop.git(cwd, "add", "--all");
  shop.git(cwd, "commit", "--quiet", "-m", `add ${name}`);
}

const names = (of: readonly { readonly session: { readonly record: { readonly name: string } } }[]) =>
  of.map(({ session }) => session.record.name);

describe("a group of sessions", { timeout: 240_000 }, () => {
  test("starts from one commit, each in a work tree of its own; what cannot start is told", async () => {
    using shop = workshop({ "a.txt": "a\n" });
    const made = await fanned(shop);
    expect(made.group).toBe("try");
    expect(names(made.sessions)).toEqual(["try-1", "try-2", "try-3"]);
    expect(new Set(made.cwds).size).toBe(3);
    const head = shop.git(shop.repository, "rev-parse", "HEAD").trim();
    expect(made.sessions.map(({ session }) => session.record.workspace?.base)).toEqual([head, head, head]);
    const mixed = await shop.sessions.fan({ cwd: shop.repository, members: [{ agent: "shell" }, { agent: "nobody" }] });
    expect(mixed).toMatchObject({ group: "proj", failed: [{ agent: "nobody", error: { code: "AGENT_UNKNOWN" } }] });
    expect(names(mixed.sessions)).toEqual(["proj-1"]);
    await expect(shop.sessions.fan({ cwd: shop.repository, members: [{ agent: "nobody" }] })).rejects.toMatchObject({
      code: "AGENT_UNKNOWN",
    });
    await expect(fanned(shop)).rejects.toMatchObject({ code: "NAME_TAKEN" });
    expect((await shop.sessions.fan({ cwd: shop.repository, members: [{ agent: "shell" }] })).group).toBe("proj-2");
    await expect(shop.sessions.group({ group: "nothing" })).rejects.toMatchObject({ code: "GROUP_NOT_FOUND" });
  });

  test("is compared by what each changed, and by its check", async () => {
    using shop = workshop({ "a.txt": "a\n" });
    const { cwd } = await fanned(shop, { check: "test -e good.txt" });
    work(shop, cwd(0), "good.txt");
    writeFileSync(join(cwd(1), "bad.txt"), "1\n2\n");
    const seen = await shop.sessions.group({ group: "try" });
    expect(seen.members.map(({ changes, checked }) => [changes, checked])).toEqual([
      [{ files: 1, added: 1, removed: 0 }, null],
      [{ files: 1, added: 2, removed: 0 }, null],
      [{ files: 0, added: 0, removed: 0 }, null],
    ]);
    const checked = await shop.sessions.checkGroup({ group: "try" });
    expect(checked.members.map((each) => each.checked?.failure)).toEqual([null, "ended with status 1", "ended with status 1"]);
    const again = await shop.sessions.checkGroup({ group: "try", check: "echo is it; test -e bad.txt" });
    expect(again.check).toBe("echo is it; test -e bad.txt");
    expect(again.members.map((each) => [each.checked?.failure, each.checked?.last_lines])).toEqual([
      ["ended with status 1", ["is it"]],
      [null, ["is it"]],
      ["ended with status 1", ["is it"]],
    ]);
    expect(shop.types()).toContain("session_checked");
  });

  test("is over once one is picked: that one is merged, the others go to the trash and come back; unsaved work stays", async () => {
    using shop = workshop({ "a.txt": "a\n" });
    const { cwd } = await fanned(shop);
    work(shop, cwd(0), "one.txt");
    work(shop, cwd(1), "two.txt");
    writeFileSync(join(cwd(2), "unsaved.txt"), "u\n");
    const preview = await shop.sessions.pick({ session: "try-2", how: "squash", dry_run: true });
    expect(preview).toMatchObject({
      dry_run: true,
      rest: [
        { name: "try-1", outcome: "kept" },
        { name: "try-3", outcome: "kept" },
      ],
    });
    writeFileSync(join(shop.repository, "a.txt"), "dirty\n");
    work(shop, cwd(1), "a.txt");
    await expect(shop.sessions.pick({ session: "try-2", how: "squash" })).rejects.toMatchObject({ code: "FINISH_REFUSED" });
    expect(existsSync(cwd(0))).toBe(true);
    shop.git(shop.repository, "checkout", "--quiet", "a.txt");
    const picked = await shop.sessions.pick({ session: "try-2", how: "squash" });
    expect(picked).toMatchObject({
      finished: { ref: "refs/heads/main" },
      rest: [
        { name: "try-1", outcome: "removed", why: null },
        { name: "try-3", outcome: "kept", why: expect.stringContaining("1 file untracked") },
      ],
    });
    expect(existsSync(join(shop.repository, "two.txt"))).toBe(true);
    expect(existsSync(join(shop.repository, "one.txt"))).toBe(false);
    expect([existsSync(cwd(0)), existsSync(cwd(2))]).toEqual([false, true]);
    expect(shop.events.find(({ type }) => type === "session_picked")).toMatchObject({ group: "try" });
    await shop.sessions.undo({ session: "try-1" });
    expect(existsSync(join(cwd(0), "one.txt"))).toBe(true);
    await shop.sessions.undo({ session: "try-2" });
    expect(existsSync(join(shop.repository, "two.txt"))).toBe(false);
    await shop.sessions.create({ agent: "shell", cwd: shop.repository, name: "alone" });
    await expect(shop.sessions.pick({ session: "alone", how: "keep" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
