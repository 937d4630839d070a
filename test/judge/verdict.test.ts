import { describe, expect, test } from "vitest";
import { judge, type Trial } from "./verdict.js";

const trial: Trial = { text: "a\tb", declared: ["a    b"], outcome: "submitted", reason: "hook", altered: null, received: [], damage: [] };

describe("judge", () => {
  test.each<[string, Partial<Trial>, string, string]>([
    ["a text that arrived once", { received: ["a\tb"] }, "exact", "right"],
    ["a change that was announced without need", { received: ["a\tb"], altered: "a tab" }, "exact", "false"],
    ["a change that was declared and reported", { received: ["a    b"], altered: "a tab" }, "declared", "right"],
    ["a change that was declared and not reported", { received: ["a    b"] }, "declared", "false"],
    ["an undeclared change", { received: ["ab"], altered: "a tab" }, "wrong", "false"],
    ["a text that arrived twice", { received: ["a\tb", "a\tb"] }, "wrong", "false"],
    ["a submitted text that did not arrive", {}, "wrong", "false"],
    ["a refusal before anything was typed", { outcome: "refused", reason: "line_too_long" }, "refused", "right"],
    ["a text that cannot be typed", { outcome: "INVALID_TEXT", reason: null }, "refused", "right"],
    ["a refusal because of text left in the input", { outcome: "refused", reason: "draft" }, "wrong", "right"],
    ["a refused text that arrived", { outcome: "refused", reason: "starting", received: ["a\tb"] }, "exact", "false"],
    ["a receipt that does not know", { outcome: "unconfirmed", reason: "not_shown" }, "wrong", "unknown"],
    ["an unconfirmed text that arrived", { outcome: "unconfirmed", received: ["a\tb"] }, "exact", "unknown"],
    ["a text that ran a command", { received: ["a\tb"], damage: ["ran"] }, "wrong", "right"],
  ])("%s", (_, seen, verdict, receipt) => {
    expect(judge({ ...trial, ...seen })).toEqual({ verdict, receipt });
  });
});
