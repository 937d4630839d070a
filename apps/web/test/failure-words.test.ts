import { TmpmError } from "@tmpm/core/errors";
import { expect, test } from "vitest";
import { failureText } from "../src/words/failure-words.js";

test.each([
  ["the daemon's", new TmpmError("NAME_TAKEN", "the name is in use", { effect: "none" }), "The name is in use. (NAME_TAKEN)"],
  ["a bug of the page", new TypeError("x is undefined"), "X is undefined. It may have taken effect: check first. (INTERNAL)"],
  ["a refused permission", new DOMException("no", "NotAllowedError"), "The browser did not allow it."],
  ["another one of the browser", new DOMException("no push service", "AbortError"), "The browser refused: no push service."],
])("a failure: %s", (_, error, text) => {
  expect(failureText(error)).toBe(text);
});
