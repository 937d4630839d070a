import { RequestError } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { errorWords } from "../src/agent/error-words.js";

test.each([
  [
    "what stands behind the message",
    new RequestError(-32603, "Internal error", { details: "No previous sessions" }),
    "Internal error: No previous sessions",
  ],
  ["a text alone", new RequestError(-32603, "Internal error", "disk full"), "Internal error: disk full"],
  ["a message of a message", new RequestError(-32603, "Internal error", { message: "no model" }), "Internal error: no model"],
  ["nothing twice", new RequestError(-32000, "login needed", { details: "login needed" }), "login needed"],
  ["nothing that is not text", new RequestError(-32603, "Internal error", { stack: [1, 2] }), "Internal error"],
  ["what is not an error of the protocol", new Error("broken pipe"), "broken pipe"],
  ["only so much", new RequestError(-32603, "x", "y".repeat(2_000)), `x: ${"y".repeat(500)}`],
])("an agent's error is described with %s", (_, error, words) => {
  expect(errorWords(error)).toBe(words);
});
