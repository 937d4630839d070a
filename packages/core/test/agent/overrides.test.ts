import { describe, expect, test } from "vitest";
import {
  changedOverrides,
  mergeOverrides,
  type OverridesPatch,
  parseOverridesPatch,
  type SessionOverrides,
  SessionRecord,
} from "../../src/index.js";
import { aRecord } from "../a-record.js";

const TABLE: readonly { title: string; current: SessionOverrides; patch: OverridesPatch; merged: SessionOverrides }[] = [
  { title: "sets a model where none was", current: {}, patch: { model: "m" }, merged: { model: "m" } },
  {
    title: "sets model and temperature together (zeroclaw 5)",
    current: {},
    patch: { model: "model-x", temperature: 0.42 },
    merged: { model: "model-x", temperature: 0.42 },
  },
  {
    title: "sets a provider (zeroclaw 6)",
    current: {},
    patch: { model_provider: "anthropic.default" },
    merged: { model_provider: "anthropic.default" },
  },
  {
    title: "a provider without a model takes the model away (zeroclaw 7)",
    current: { model: "claude-opus-4-5" },
    patch: { model_provider: "ollama.default" },
    merged: { model_provider: "ollama.default" },
  },
  {
    title: "a provider with a model sets both (zeroclaw 8)",
    current: { model: "a" },
    patch: { model_provider: "p", model: "b" },
    merged: { model: "b", model_provider: "p" },
  },
  {
    title: "a temperature leaves both (zeroclaw 8)",
    current: { model: "b", model_provider: "p" },
    patch: { temperature: 0.1 },
    merged: { model: "b", model_provider: "p", temperature: 0.1 },
  },
  {
    title: "the same provider again takes the model away too (zeroclaw 9)",
    current: { model: "a", model_provider: "p" },
    patch: { model_provider: "p" },
    merged: { model_provider: "p" },
  },
  { title: "nothing changes nothing", current: { temperature: 0.4 }, patch: {}, merged: { temperature: 0.4 } },
  {
    title: "undefined is as absent",
    current: { model: "a" },
    patch: { model: undefined, temperature: 1 },
    merged: { model: "a", temperature: 1 },
  },
  { title: "null takes one away", current: { model: "a", temperature: 1 }, patch: { temperature: null }, merged: { model: "a" } },
  {
    title: "a provider that is taken away leaves the model",
    current: { model: "a", model_provider: "p" },
    patch: { model_provider: null },
    merged: { model: "a" },
  },
  {
    title: "a null model beside a provider stays away",
    current: { model: "a" },
    patch: { model: null, model_provider: "p" },
    merged: { model_provider: "p" },
  },
  { title: "zero is a temperature", current: {}, patch: { temperature: 0 }, merged: { temperature: 0 } },
];

describe("mergeOverrides", () => {
  test.each(TABLE)("$title", ({ current, patch, merged }) => {
    const before = structuredClone(current);
    expect(mergeOverrides(current, patch)).toEqual(merged);
    expect(current).toEqual(before);
  });

  test("keeps fields of a newer version", () => {
    const current: SessionOverrides = SessionRecord.shape.overrides.parse({ model: "a", fast: true });
    expect(mergeOverrides(current, { model: "b" })).toEqual({ model: "b", fast: true });
  });

  test("reports the differences", () => {
    expect(changedOverrides({ model: "a" }, { model_provider: "p" })).toEqual(["model", "model_provider"]);
    expect(changedOverrides({ model: "a" }, { model: "a" })).toEqual([]);
  });
});

describe("parseOverridesPatch", () => {
  test.each<OverridesPatch>([
    { model: "" },
    { model: "  " },
    { model_provider: " " },
    { reasoning_effort: "\t" },
    { model: "two words" },
    { model: "-x" },
    { model: "a\u0007" },
    { model: "m".repeat(201) },
    { temperature: -0.1 },
    { temperature: 2.1 },
    { temperature: Number.NaN },
  ])("rejects %j", (patch) => {
    expect(() => parseOverridesPatch(patch)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  test("trims surrounding blanks and keeps nulls", () => {
    expect(parseOverridesPatch({ model: " opus[1m] ", model_provider: null, temperature: 2 })).toEqual({
      model: "opus[1m]",
      model_provider: null,
      temperature: 2,
    });
  });
});

test("a record defaults to no overrides, owner or mode, and keeps fields of a newer version", () => {
  const { overrides: _, owner: __, mode: ___, ...old } = aRecord();
  expect(SessionRecord.parse(old)).toMatchObject({ overrides: {}, owner: null, mode: null });
  const newer = { ...old, overrides: { model: "m", fast: true } };
  expect(SessionRecord.parse(newer).overrides).toEqual({ model: "m", fast: true });
});
