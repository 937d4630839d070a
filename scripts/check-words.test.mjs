import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkWords, habitsIn } from "./check-words.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

test("sources, tests and pages do not contain a listed phrase", () => {
  expect(checkWords(root)).toEqual([]);
});

test.each([
  ["the path is no directory", "is not a"],
  ["/** So many events wait at most. */", "quantity"],
  ["a session of nobody's", "unowned"],
  ["the host that it goes on on", "continues on"],
  ["a watcher is told of changes", "notify"],
  ["tmux tells when a pane ends", "report"],
  ["a socket that nobody listens on", "no reader"],
  ['test("somebody else is faster")', "another client"],
  ["const tellAll = (toldBy) => toldBy()", "emit"],
  ["/** What became of a prompt. */", "outcome"],
  ["it goes on with its conversation", "continues"],
  ["agents that are spoken with", "protocol agent"],
  ["the limit is said to reset", "reported"],
  ["waits so many ms", "quantity"],
  ["it is ended all the same", "anyway"],
  ["drops readers without a word", "silently"],
  ["a subject that is none of a link's", "does not belong"],
  ["it is open to everybody", "all clients"],
])("%j is reported, with its replacement", (text, rule) => {
  expect(habitsIn(`first line\n${text}`)).toEqual([{ line: 2, rule: expect.stringContaining(rule) }]);
});

test.each([
  "there is no such session",
  "it is no longer listed",
  "So much as a byte",
  "intelligence",
  "usage.told ?? NO_TOKENS",
  "told: TokenCounts.nullable()",
  'show({ session: "nobody" })',
  "/v1/sessions/nobody",
  "told_budget",
  "their digests are all the same",
  "what comes of it",
  "so many sessions that the list is cut",
])("%j is accepted", (text) => {
  expect(habitsIn(text)).toEqual([]);
});
