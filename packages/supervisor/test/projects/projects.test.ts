import { type Project, TmpmError } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";

const here = { agent: "shell" } as const;

describe("a registered project", () => {
  test("gives its id to sessions created in it and below it", async () => {
    const { sessions } = fixture();
    const { project } = await sessions.addProject({ path: "/src/my api" });
    expect(project).toMatchObject({ id: "my-api", path: "/src/my api", name: "my api" });
    const inside = await sessions.create({ ...here, cwd: "/src/my api/lib", name: "inside" });
    const beside = await sessions.create({ ...here, cwd: "/src/my api2", name: "beside" });
    const chosen = await sessions.create({ ...here, cwd: "/src/my api", name: "chosen", project_id: "other" });
    expect([inside, beside, chosen].map(({ session }) => session.record.project_id)).toEqual(["my-api", "default", "other"]);
    expect(await sessions.projects()).toEqual([expect.objectContaining({ sessions: 1, active: 1, waiting: 0 })]);
  });

  test("keeps its id when registered again, and a new one gets a free id", async () => {
    const { sessions } = fixture();
    await sessions.addProject({ path: "/a/app" });
    const again = await sessions.addProject({ path: "/a/app", name: "The app" });
    const second = await sessions.addProject({ path: "/b/app" });
    expect(again.project).toMatchObject({ id: "app", name: "The app" });
    expect(second.project.id).toBe("app-2");
    await expect(sessions.addProject({ path: "/c/app", id: "app" })).rejects.toMatchObject({ code: "NAME_TAKEN" });
    expect(await sessions.projects()).toHaveLength(2);
  });

  test("stays unregistered despite a concurrent change", async () => {
    const documents = memoryDocuments<Project>();
    const slow: typeof documents = {
      ...documents,
      put: async (key, value) => {
        await new Promise(setImmediate);
        await documents.put(key, value);
      },
    };
    const { sessions } = fixture({ ports: { projectStore: slow } });
    await sessions.addProject({ path: "/a/app" });
    await Promise.all([sessions.setProject({ project: "app", budget: { tokens: 5 } }), sessions.removeProject({ project: "app" })]);
    expect(await sessions.projects()).toEqual([]);
  });

  test("is unregistered by id or path, and its sessions stay", async () => {
    const { sessions } = fixture();
    await sessions.addProject({ path: "/a/app" });
    await sessions.create({ ...here, cwd: "/a/app", name: "one" });
    await sessions.removeProject({ project: "/a/app" });
    expect(await sessions.projects()).toEqual([]);
    expect((await sessions.show({ session: "one" })).record.project_id).toBe("app");
    const refused = await sessions.removeProject({ project: "app" }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TmpmError);
    expect(refused).toMatchObject({ code: "PROJECT_NOT_FOUND" });
  });

  test("is refused for a missing directory", async () => {
    const { sessions } = fixture();
    await expect(sessions.addProject({ path: "/missing/app" })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
  });
});

describe("a session", () => {
  test("moves to another project, given by id or path, and is listed once", async () => {
    const { sessions, store, events } = fixture();
    await sessions.addProject({ path: "/src/api" });
    const { session } = await sessions.create({ ...here, cwd: "/a", name: "one" });
    const moved = await sessions.set({ session: "one", project_id: "/src/api/", task: "t" });
    expect(moved.record).toMatchObject({ id: session.record.id, project_id: "api", task: "t", state: "active" });
    expect(events.at(-1)).toMatchObject({ type: "session_edited", fields: ["task", "project_id"] });
    for (const project_id of ["api", "/src/api"]) expect((await sessions.list({ project_id })).sessions).toHaveLength(1);
    expect((await sessions.list({ project_id: "default" })).sessions).toEqual([]);
    expect(await store.list()).toHaveLength(1);
    await sessions.stop({ session: "one" });
    expect((await sessions.set({ session: "one", project_id: "free" })).record).toMatchObject({ project_id: "free", state: "stopped" });
  });

  test("is not moved to an unregistered path or unknown id, and stays unchanged", async () => {
    const { sessions } = fixture();
    await sessions.create({ ...here, cwd: "/a", name: "one" });
    await expect(sessions.set({ session: "one", project_id: "/src", task: "t" })).rejects.toMatchObject({ code: "PROJECT_NOT_FOUND" });
    await expect(sessions.set({ session: "one", project_id: "../x", task: "t" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(sessions.list({ project_id: "/src" })).rejects.toMatchObject({ code: "PROJECT_NOT_FOUND" });
    expect((await sessions.show({ session: "one" })).record).toMatchObject({ project_id: "default", task: "" });
  });
});

describe("a session's scope", () => {
  test("compares paths with its worktree", async () => {
    const { sessions, store } = fixture();
    const { session } = await sessions.create({ ...here, cwd: "/a", name: "one" });
    const touched = { session: "one", paths: ["/w/x", "/v/y"], issue_ids: [] };
    expect(await sessions.scope(touched)).toEqual({ kind: "uncorrelated" });
    await store.update(session.record.id, (record) => ({ ...record, correlation: { ...record.correlation, worktree: "/w" } }));
    expect(await sessions.scope(touched)).toEqual({ kind: "out_of_scope", stray_paths: ["/v/y"], foreign_issue_ids: [] });
  });
});
