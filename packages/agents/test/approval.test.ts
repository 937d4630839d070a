import { expect, test } from "vitest";
import { allowOnce } from "../src/screen/approval.js";
import { reading } from "../src/screen/reading.js";

function chosen(labels: readonly string[]): string | null {
  const choices = labels.map((label, index) => ({ label, keys: [String(index + 1)] as const, takesText: false }));
  const keys = allowOnce(reading("awaiting_approval", { decision: { kind: "approval", tool: "Plan", subject: "a plan", choices } }));
  return keys === null ? null : (labels[Number(keys[0]) - 1] ?? null);
}

test.each([
  [["Yes", "Yes, allow all edits during this session", "No"], "Yes"],
  [["Yes, and auto-accept edits", "Yes, and manually approve edits", "No, keep planning"], "Yes, and manually approve edits"],
  [["Yes, clear context and auto-accept edits", "Yes, auto-accept edits", "Yes, manually approve edits"], "Yes, manually approve edits"],
  [["Yes, and bypass permissions", "Yes, and manually approve edits", "No, keep planning"], "Yes, and manually approve edits"],
  [["Yes, and use auto mode", "Yes, manually approve edits", "No"], "Yes, manually approve edits"],
  [["Yes, clear context", "No"], null],
  [["Yes, and accept edits from now on", "No"], null],
  [["Allow once", "Allow for this session", "No"], "Allow once"],
])("of %j, only %j allows this one action", (labels, expected) => {
  expect(chosen(labels)).toBe(expected);
});
