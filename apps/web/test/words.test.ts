import { expect, test } from "vitest";
import { readDraft, withFile, withoutFile, withoutSent, withText } from "../src/state/drafts.js";
import { found } from "../src/state/palette.js";
import { hashOf, readRoute } from "../src/state/route.js";
import { verbsOf } from "../src/state/verbs.js";
import { webLink } from "../src/view/terminal/ask-and-open.js";
import { patchLines } from "../src/words/patch-lines.js";
import { readingParts } from "../src/words/reading-parts.js";
import { oneLine, shown } from "../src/words/shown.js";
import { money, roughly, usageLine } from "../src/words/usage-words.js";

test("invisible characters, and those that reorder text, are shown as a mark", () => {
  expect(shown("a\u0000b\u202ec\u2066d\ud800e\nf")).toBe("a\ufffdb\ufffdc\ufffdd\ufffde\nf");
  expect(oneLine(" a\n\tb ")).toBe("a b");
});

test("a screen is shown as text: lines become rules, and boxes lose their sides", () => {
  expect(readingParts(["╭──────────────╮", "│ hello        │", "╰──────────────╯", "❯ ls  ", "", ""])).toEqual([
    { kind: "rule" },
    { kind: "text", text: "hello" },
    { kind: "rule" },
    { kind: "text", text: "❯ ls" },
  ]);
});

test("a draft keeps its key while its text and its files are the same, and invalid stored data is ignored", () => {
  const file = { ref_id: "sha256:1", filename: "a.png" };
  const draft = { text: "run it", files: [file], attempt: { key: "k", queue: true } };
  expect(readDraft(JSON.stringify(draft))).toEqual(draft);
  expect(withText(draft, "run it")).toBe(draft);
  expect(withFile(draft, file)).toBe(draft);
  expect(withText(draft, "run it now")).toEqual({ text: "run it now", files: [file], attempt: null });
  const other = { ref_id: "sha256:2", filename: "b.png" };
  expect(withFile(draft, other)).toEqual({ text: "run it", files: [file, other], attempt: null });
  expect(withoutFile(draft, "sha256:1")).toEqual({ text: "run it", files: [], attempt: null });
  const none = { text: "", files: [], attempt: null };
  for (const stored of ["", "null", "[]", "{", '{"text":1}']) expect(readDraft(stored)).toEqual(none);
  expect(readDraft('{"text":"old","key":"k","files":[1]}')).toEqual({ ...none, text: "old" });
});

test("a send removes from its draft what was sent, and keeps what was added meanwhile", () => {
  const [file, other] = ["1", "2"].map((digit) => ({ ref_id: `sha256:${digit}`, filename: `${digit}.png` }));
  if (file === undefined || other === undefined) throw new Error("no files");
  const sent = { text: "run it", files: [file], attempt: { key: "k", queue: false } };
  expect(withoutSent(sent, sent)).toEqual({ text: "", files: [], attempt: null });
  expect(withoutSent({ ...sent, text: "run it\nand stop", files: [file, other] }, sent)).toEqual({
    text: "\nand stop",
    files: [other],
    attempt: null,
  });
  expect(withoutSent({ ...sent, text: "something else" }, sent).text).toBe("something else");
});

test("every route is represented in its address", () => {
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

test("only actions allowed in a session's state are offered", () => {
  const activity = { state: "idle" } as Parameters<typeof verbsOf>[0]["activity"];
  const names = (state: "active" | "stopped" | "provisioning" | "deleted", paused_at: string | null = null) =>
    verbsOf({ state, paused_at, activity }).map(({ name }) => name);
  expect(names("active")).toEqual(["pause", "stop", "restart", "remove"]);
  expect(names("active", "2026-01-02T03:04:05Z")).toContain("continue");
  expect(names("stopped")).toEqual(["resume", "archive", "remove"]);
  expect(names("deleted")).toEqual([]);
});

test("the palette finds entries with all words, those beginning with them first", () => {
  const choice = (title: string, more = "") => ({ key: title, title, more, run: () => undefined });
  const all = [choice("stop api"), choice("api-login", "claude"), choice("docs", "api")];
  expect(found(all, "api").map(({ title }) => title)).toEqual(["api-login", "stop api", "docs"]);
  expect(found(all, "claude api").map(({ title }) => title)).toEqual(["api-login"]);
});

test("only web links of a terminal are opened", () => {
  expect(webLink("https://example.org/x")).toEqual({ address: "https://example.org/x", host: "example.org" });
  expect(webLink("http://example.org:81")?.host).toBe("example.org:81");
  const others = ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "vbscript:x", "nonsense"];
  expect(others.map(webLink)).toEqual(others.map(() => null));
  // A user name before the @ may look like a host.
  expect(
    [`https://example.org${"/".repeat(400)}@evil.example/`, "https://example.org@evil.example/", "https://a:b@c/"].map(
      (each) => webLink(each)?.host,
    ),
  ).toEqual(["example.org", undefined, undefined]);
});

test("a patch is parsed by line, with the numbers before and after", () => {
  const patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,3 +3,3 @@ function f\n one\n-two\n+2\n three\n\\ No newline at end of file\n";
  expect(patchLines(patch)).toEqual([
    { kind: "hunk", before: null, after: null, text: "function f" },
    { kind: "same", before: 3, after: 3, text: "one" },
    { kind: "removed", before: 4, after: null, text: "two" },
    { kind: "added", before: null, after: 4, text: "2" },
    { kind: "same", before: 5, after: 5, text: "three" },
    { kind: "note", before: null, after: null, text: "No newline at end of file" },
  ]);
  // A line that looks like a header is content once a hunk has begun.
  expect(patchLines("@@ -1 +1 @@\n--- a\n+++ b\n").map(({ kind, text }) => [kind, text])).toEqual([
    ["hunk", ""],
    ["removed", "-- a"],
    ["added", "++ b"],
  ]);
});

test("token counts are short, with the context usage", () => {
  expect([0, 999, 1_000, 12_345, 1_250_000, 3e9].map(roughly)).toEqual(["0", "999", "1.0 k", "12 k", "1.3 M", "3.0 G"]);
  expect([null, 0.0918, 12.4].map(money)).toEqual(["–", "$0.09", "$12"]);
  const tokens = { input: 1_000, cache_read: 40_000, cache_write: 0, output: 2_000, reasoning: 0 };
  expect(usageLine({ usage: { tokens, context: { tokens: 41_000, limit: 100_000 } } })).toBe("41 % of context, 43 k tokens");
  expect(usageLine({ usage: { tokens, context: { tokens: 41_000, limit: null } } })).toBe("41 k of context, 43 k tokens");
  expect(usageLine({ usage: null })).toBe("");
});
