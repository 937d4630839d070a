import { type RepoTheme, themeFromPath } from "@tmpm/core";
import { expect, test } from "vitest";
import type { Ports } from "../../src/context.js";
import { systemAlarm } from "../../src/deadline.js";
import { fixture } from "../fixtures/fixture.js";

const GREY: RepoTheme = { body: "#111111", outline: "#222222", accent: "#333333", shirt: "#444444" };
const GIT = { root: "/src/api", branch: "main", commit: null, remote: null };

function inRepository(themeOf: NonNullable<Ports["themeOf"]>, ports: Partial<Ports> = {}) {
  return fixture({
    ports: {
      ...ports,
      themeOf,
      describeDirectory: async (path) =>
        path === "/w"
          ? { kind: "directory", realPath: path, git: null, gitReason: "not a git repository" }
          : { kind: "directory", realPath: path, git: GIT, gitReason: null },
    },
  });
}

test("a session has the colours of its repository, and none outside a repository", async () => {
  let theme = GREY;
  const { sessions, tmux } = inRepository(async (_, repository) => (repository === null ? null : { id: repository, theme }));
  await sessions.create({ agent: "shell", cwd: "/src/api/lib", name: "inside" });
  await sessions.create({ agent: "shell", cwd: "/w", name: "outside" });
  const themes = new Map((await sessions.list({})).sessions.map((session) => [session.record.name, session.theme?.theme ?? null]));
  expect([themes.get("inside"), themes.get("outside")]).toEqual([GREY, null]);
  theme = { ...GREY, body: "#555555" };
  expect((await sessions.show({ session: "inside" })).theme).toEqual({ id: "/src/api", theme: GREY });
  tmux.advance(2_000);
  expect((await sessions.show({ session: "inside" })).theme).toEqual({ id: "/src/api", theme });
});

test("a hanging disk delays no request for colours", async () => {
  const { sessions } = inRepository(() => new Promise(() => undefined), { alarm: systemAlarm });
  await sessions.create({ agent: "shell", cwd: "/src/api", name: "one" });
  expect((await sessions.show({ session: "one" })).theme).toEqual({ id: "/src/api", theme: themeFromPath("/src/api") });
});
