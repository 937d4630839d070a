import { expect, test } from "vitest";
import { renderList } from "../../src/render/list.js";
import { asTree } from "../../src/render/tree.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

function session(n: number, parent: number | null, more: object = {}) {
  const lineage = parent === null ? null : { root: id(1), depth: 1, path: [id(parent)] };
  return sessionAnswer({ id: id(n), name: `s${n}`, spawned_by: parent === null ? null : id(parent), lineage, ...more });
}

test("sessions are listed below their parents, starting with the group that needs the user", () => {
  const asks = {
    id: id(9),
    session_id: id(4),
    question: "Which?",
    choices: [],
    asked_at: "2026-01-01T00:00:00Z",
    answer: null,
    withdrawn_at: null,
  };
  const sessions = [session(1, null), session(2, null), session(3, 2), session(4, 3, { question: asks }), session(5, 8)];
  expect(asTree(sessions).map(({ session: { name }, depth }) => `${depth} ${name}`)).toEqual(["0 s2", "1 s3", "2 s4", "0 s1", "0 s5"]);
  const list = { sessions, problems: [], store: { state: "ok" as const, message: null }, next: null };
  const lines = renderList(list, { now: Date.parse("2026-01-01T00:10:00Z"), userHome: null, tree: true }).split("\n");
  expect(lines.map((line) => line.replace(/(?<=\S) .*$/, "")).slice(1)).toEqual(["s2", "`-s3", "  `-s4", "s1", "s5"]);
  expect(lines[3]).toMatch(/question +10m .*asks: Which\?/);
});

test("records that name each other as parents are listed once", () => {
  expect(
    asTree([session(1, 2), session(2, 1), session(3, null)])
      .map(({ session: { name } }) => name)
      .sort(),
  ).toEqual(["s1", "s2", "s3"]);
});
