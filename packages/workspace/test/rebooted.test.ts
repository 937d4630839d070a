import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { openFixture, openMade, SESSION, type WorkspaceFixture, write } from "./workspace-fixture.js";

/** No file system has it: every recorded number of a device is that of before the reboot. */
const OLD_DEVICE = "1";

function edit(path: string, change: (document: Record<string, unknown>) => void): void {
  const document = JSON.parse(readFileSync(path, "utf8"));
  change(document);
  writeFileSync(path, JSON.stringify(document));
}

function renumbered(workspace: Workspace): Workspace {
  if (workspace.identity === null) throw new Error("without an identity");
  edit(join(workspace.identity.git_dir, "tmpm-workspace.json"), (marker) => {
    marker.device = OLD_DEVICE;
  });
  return { ...workspace, identity: { ...workspace.identity, device: OLD_DEVICE } };
}

function renumberTrash(fixture: WorkspaceFixture): void {
  edit(join(fixture.home, "trash", "trash-1", "manifest.json"), (manifest) => {
    const { identity } = manifest.workspace as { identity: { device: string } };
    identity.device = OLD_DEVICE;
  });
}

describe.each(["worktree", "clone"] as const)("after a reboot that renumbered the devices, a %s", (kind) => {
  test("is still ours, and is removed and restored", async () => {
    const { fixture: opened, workspace: made } = await openMade(kind);
    using fixture = opened;
    const workspace = renumbered(made);
    write(join(workspace.path, "new.txt"), "work");
    const { device } = made.identity ?? {};
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({
      kind: "ours",
      owned: { identity: { device } },
      reasons: [{ code: "untracked" }],
    });
    expect(await fixture.remove(workspace, { discard: true })).toMatchObject({ kind: "trashed" });
    renumberTrash(fixture);
    expect(await fixture.restore(workspace)).toMatchObject({ workspace: { identity: { device } }, notes: [] });
    expect(readFileSync(join(workspace.path, "new.txt"), "utf8")).toBe("work");
  });

  test("is not confused with another directory in its place, regardless of its device number", async () => {
    const { fixture: opened, workspace } = await openMade(kind);
    using fixture = opened;
    edit(join(workspace.identity?.git_dir ?? "", "tmpm-workspace.json"), (marker) => {
      marker.nonce = "another";
    });
    const { identity } = workspace;
    const old = { ...workspace, identity: identity === null ? null : { ...identity, device: OLD_DEVICE } };
    await expect(fixture.remove(old)).rejects.toMatchObject({ code: "WORKSPACE_REFUSED", details: { reasons: [{ code: "marker" }] } });
    expect(existsSync(workspace.path)).toBe(true);
  });

  test("whose undo was interrupted is restored", async () => {
    const { fixture: opened, workspace } = await openMade(kind);
    using fixture = opened;
    await fixture.remove(workspace);
    await fixture.killedAt("workspace.returned", (spaces) => spaces.restore(workspace, { sessionId: SESSION, trashId: "trash-1" }));
    renumberTrash(fixture);
    await fixture.restore(workspace);
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
  });

  test("that was unfinished is rolled back", async () => {
    using fixture = openFixture();
    const from = kind === "worktree" ? fixture.source.path : join(fixture.below, "origin.git");
    const source = kind === "worktree" ? ({ kind, directory: from } as const) : ({ kind, from } as const);
    const request = { sessionId: SESSION, name: "demo", projectId: "default", source, branch: null, base: null };
    const plan = await fixture.spaces.plan(request);
    await fixture.killedAt("workspace.added", (spaces) => spaces.make(plan, { request }));
    edit(join(dirname(plan.path), `.${basename(plan.path)}.making`), (reservation) => {
      reservation.device = OLD_DEVICE;
    });
    await fixture.spaces.takeBack(plan, { sessionId: SESSION });
    expect(existsSync(plan.path)).toBe(false);
  });
});

test("after a reboot that renumbered the devices, a worktree whose removal was interrupted is attached to its branch again", async () => {
  const { fixture: opened, workspace } = await openMade("worktree");
  using fixture = opened;
  await fixture.killedAt("workspace.detached", (spaces) =>
    spaces.remove(workspace, { sessionId: SESSION, others: [], trashId: "trash-1", discard: false }),
  );
  renumberTrash(fixture);
  expect(await fixture.spaces.finishRemoval("trash-1")).toBeNull();
  expect(fixture.git(workspace.path, "status", "--porcelain", "--branch")).toBe("## tmpm/demo\n");
  expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
});
