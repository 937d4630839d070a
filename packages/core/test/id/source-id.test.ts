import { expect, test } from "vitest";
import { sourceIdOf } from "../../src/index.js";

test.each([
  ["https://github.com/acme/api.git", "acme/api"],
  ["https://user@github.com/acme/api", "acme/api"],
  ["git@github.com:acme/api.git", "acme/api"],
  ["ssh://git@host:22/acme/api.git/", "acme/api"],
  ["https://host/group/sub/api.git", null],
  ["/srv/git/api.git", null],
  ["file:///api", null],
  [null, null],
])("source %s maps to %s", (url, source) => {
  expect(sourceIdOf(url)).toBe(source);
});
