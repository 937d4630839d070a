import type { DiffAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { diffOf } from "../src/daemon/diff-of.js";
import { beginComment, type CommentDraft, commentDrafts, endComment, indexOfDraft, writeComment } from "../src/state/comment-drafts.js";
import { patchLines } from "../src/words/patch-lines.js";

const AT = { session: "s", path: "a.txt", side: "new", line: 2, text: "TWO" } as const;
const before = patchLines("@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n");
const after = patchLines("@@ -1,3 +1,4 @@\n+zero\n one\n-two\n+TWO\n three\n");

function draft(part: Partial<CommentDraft> = {}): CommentDraft {
  return { ...AT, id: 1, comment: "Why?", ...part };
}

test("a comment that is being written stays with its line, wherever that moves", () => {
  expect(before[indexOfDraft(draft(), before) ?? -1]).toMatchObject({ kind: "added", after: 2, text: "TWO" });
  expect(after[indexOfDraft(draft(), after) ?? -1]).toMatchObject({ kind: "added", after: 3, text: "TWO" });
  expect(indexOfDraft(draft({ side: "old" }), after)).toBeNull();
  expect(indexOfDraft(draft({ text: "gone" }), after)).toBeNull();
  const twice = patchLines("@@ -1 +1,3 @@\n+}\n one\n+}\n");
  expect(twice[indexOfDraft(draft({ text: "}", line: 3 }), twice) ?? -1]).toMatchObject({ after: 3 });
});

test("a line has one draft at a time, which is kept until it is ended", () => {
  beginComment(AT);
  const [first] = commentDrafts.value;
  writeComment(first?.id ?? 0, "Why?");
  beginComment(AT);
  beginComment({ ...AT, line: 3 });
  expect(commentDrafts.value.map(({ line, comment }) => [line, comment])).toEqual([
    [2, "Why?"],
    [3, ""],
  ]);
  for (const { id } of commentDrafts.value) endComment(id);
  expect(commentDrafts.value).toEqual([]);
});

test("a reload requests as many files as were shown", async () => {
  const asked: (string | undefined)[] = [];
  const client = {
    diff: async ({ cursor }: { readonly cursor?: string | undefined }) => {
      asked.push(cursor);
      const from = Number(cursor ?? 0);
      const files = [from, from + 1].map((index) => ({ path: `${index}` }));
      return { files, next: from >= 4 ? null : String(from + 2) } as unknown as DiffAnswer;
    },
  };
  const { signal } = new AbortController();
  const shown = async (files: number) => (await diffOf(client, { session: "s", files, signal })).files.map(({ path }) => path);
  expect(await shown(0)).toEqual(["0", "1"]);
  expect(await shown(3)).toEqual(["0", "1", "2", "3"]);
  expect(await shown(99)).toEqual(["0", "1", "2", "3", "4", "5"]);
  expect(asked.slice(-3)).toEqual([undefined, "2", "4"]);
});
