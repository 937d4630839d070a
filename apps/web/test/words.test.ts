import { expect, test } from "vitest";
import { readDraft, withText } from "../src/state/drafts.js";
import { found } from "../src/state/palette.js";
import { hashOf, readRoute } from "../src/state/route.js";
import { verbsOf } from "../src/state/verbs.js";
import { isOpenable } from "../src/view/terminal/ask-and-open.js";
import { readingParts } from "../src/words/reading-parts.js";
import { recentDirectories } from "../src/words/recent-directories.js";
import { oneLine, shown } from "../src/words/shown.js";

test("what cannot be seen, or turns a text around, is shown as a mark", () => {
  expect(shown("a\u0000b\u202ec\u2066d\ud800e\nf")).toBe("a\ufffdb\ufffdc\ufffdd\ufffde\nf");
  expect(oneLine(" a\n\tb ")).toBe("a b");
});

test("a screen reads as text: rules are rules, and boxes have no sides", () => {
  expect(readingParts(["╭──────────────╮", "│ hello        │", "╰──────────────╯", "❯ ls  ", "", ""])).toEqual([
    { kind: "rule" },
    { kind: "text", text: "hello" },
    { kind: "rule" },
    { kind: "text", text: "❯ ls" },
  ]);
});

test("a draft keeps its key while its text is the same, and is nothing where what is stored is not a draft", () => {
  const draft = { text: "run it", key: "k" };
  expect(readDraft(JSON.stringify(draft))).toEqual(draft);
  expect(withText(draft, "run it")).toBe(draft);
  expect(withText(draft, "run it now")).toEqual({ text: "run it now", key: null });
  for (const stored of ["", "null", "[]", "{", '{"text":1}']) expect(readDraft(stored)).toEqual({ text: "", key: null });
});

test("every route is in its address", () => {
  const routes = [
    { page: "list" },
    { page: "session", id: "3b24", view: null },
    { page: "session", id: "3b24", view: "terminal" },
    { page: "inbox" },
    { page: "settings" },
  ] as const;
  for (const route of routes) expect(readRoute(hashOf(route))).toEqual(route);
  expect(readRoute("#/elsewhere")).toEqual({ page: "list" });
});

test("only what a session's state allows is offered", () => {
  const activity = { state: "idle" } as Parameters<typeof verbsOf>[0]["activity"];
  const names = (state: "active" | "stopped" | "provisioning" | "deleted", paused_at: string | null = null) =>
    verbsOf({ state, paused_at, activity }).map(({ name }) => name);
  expect(names("active")).toEqual(["pause", "stop", "restart", "remove"]);
  expect(names("active", "2026-01-02T03:04:05Z")).toContain("continue");
  expect(names("stopped")).toEqual(["resume", "archive", "remove"]);
  expect(names("deleted")).toEqual([]);
});

test("the palette finds by all words, what begins with them first", () => {
  const choice = (title: string, more = "") => ({ key: title, title, more, run: () => undefined });
  const all = [choice("stop api"), choice("api-login", "claude"), choice("docs", "api")];
  expect(found(all, "api").map(({ title }) => title)).toEqual(["api-login", "stop api", "docs"]);
  expect(found(all, "claude api").map(({ title }) => title)).toEqual(["api-login"]);
});

test("a workspace's source is offered again, not the workspace", () => {
  const at = (cwd: string, created_at: string, more = {}) => ({ cwd, created_at, project_path: null, workspace_owned: false, ...more });
  const sessions = [
    at("/a", "2026-01-01T00:00:00Z"),
    at("/trees/x", "2026-01-03T00:00:00Z", { workspace_owned: true, project_path: "/b" }),
    at("/a", "2026-01-02T00:00:00Z"),
  ];
  expect(recentDirectories(sessions)).toEqual(["/b", "/a"]);
});

test("a terminal's link is opened to the web alone", () => {
  expect(["https://example.org/x", "http://example.org"].every(isOpenable)).toBe(true);
  expect(["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "vbscript:x", "nonsense"].some(isOpenable)).toBe(false);
});
