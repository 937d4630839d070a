import { expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";

test("lists directories of sessions latest first, including those of finished sessions", async () => {
  const l = fixture();
  const make = async (cwd: string, name: string) => {
    const { record } = (await l.sessions.create({ agent: "composer", cwd, name })).session;
    l.tmux.advance(1_000);
    return record;
  };
  await make("/w/one", "a");
  const second = await make("/w/two", "b");
  const third = await make("/w/one", "c");
  await make("/w/three", "d");
  await l.sessions.remove({ session: second.id });
  const found = await l.sessions.directories({});
  expect(found.map(({ path, sessions }) => [path, sessions])).toEqual([
    ["/w/three", 1],
    ["/w/one", 2],
    ["/w/two", 1],
  ]);
  expect(found[1]?.last_used_at).toBe(third.created_at);
  expect(await l.sessions.directories({ limit: 1 })).toEqual(found.slice(0, 1));
});

test("counts a workspace as its source directory, and ignores a remote clone", async () => {
  const l = fixture();
  const { record } = (await l.sessions.create({ agent: "composer", cwd: "/w/one", name: "a" })).session;
  const workspace = {
    ...{ path: "/home/worktrees/x", nonce: "n", source: "/w/repository", repository: "/w/repository/.git" },
    ...{ branch: "b", branch_made: true, base: null, base_ref: null, folder: "packages/api", notes: [], identity: null, trashed: null },
  } as const;
  const paths = async () => (await l.sessions.directories({})).map(({ path }) => path);
  await l.store.update(record.id, (before) => ({
    ...before,
    cwd: workspace.path,
    workspace: { ...workspace, notes: [], kind: "worktree" },
  }));
  expect(await paths()).toEqual(["/w/repository/packages/api"]);
  await l.store.update(record.id, (before) => ({
    ...before,
    workspace: { ...workspace, notes: [], kind: "clone", source: "https://git.example/x" },
  }));
  expect(await paths()).toEqual([]);
});
