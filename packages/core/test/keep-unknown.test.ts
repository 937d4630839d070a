import { describe, expect, test } from "vitest";
import * as z from "zod";
import { CommentList, keepingUnknown, PullRequestWatch, SendEntry, Turn, UsageRecord } from "../src/index.js";

const Inner = z.object({ a: z.string() });

describe("schema for stored data", () => {
  test.each([
    { where: "in an object", schema: Inner, value: { a: "x", later: 1 } },
    { where: "in a field", schema: z.object({ inner: Inner }), value: { inner: { a: "x", later: 1 }, later: null } },
    { where: "in a list", schema: z.array(Inner), value: [{ a: "x", later: 1 }] },
    { where: "under a key", schema: z.record(z.string(), Inner), value: { k: { a: "x", later: 1 } } },
    {
      where: "in a field that may be null",
      schema: z.object({ inner: Inner.nullable().default(null) }),
      value: { inner: { a: "x", later: 1 } },
    },
    { where: "in an optional field", schema: z.object({ inner: Inner.optional() }), value: { inner: { a: "x", later: 1 } } },
    { where: "in a choice", schema: z.union([z.object({ b: z.number() }), Inner]), value: { a: "x", later: 1 } },
  ])("keeps an unknown field $where", ({ schema, value }) => {
    expect(schema.parse(value), "the schema itself").not.toEqual(value);
    expect(keepingUnknown<unknown>(schema).parse(value)).toEqual(value);
  });

  test("keeps defaults, refusals and rules", () => {
    const schema = z.object({ n: z.number().default(1), inner: z.strictObject({ a: z.string() }).optional() }).refine(({ n }) => n < 5);
    const keeping = keepingUnknown(schema);
    expect(keeping.parse({ later: true })).toEqual({ n: 1, later: true });
    expect(keeping.safeParse({ n: 7 }).success).toBe(false);
    expect(keeping.safeParse({ inner: { a: "x", later: 1 } }).success).toBe(false);
  });

  test.each([
    { kind: "sends", schema: SendEntry },
    { kind: "turns", schema: Turn },
    { kind: "usage", schema: UsageRecord },
    { kind: "pull requests", schema: PullRequestWatch },
    { kind: "comments", schema: CommentList },
  ])("no object in the schema of $kind drops unknown fields", ({ schema }) => {
    const objects = (node: unknown): readonly object[] =>
      typeof node !== "object" || node === null ? [] : [...("properties" in node ? [node] : []), ...Object.values(node).flatMap(objects)];
    const closed = (of: z.ZodType) =>
      objects(z.toJSONSchema(of, { io: "output", unrepresentable: "any" })).filter(
        (node) => "additionalProperties" in node && node.additionalProperties === false,
      );
    expect(closed(schema)).not.toEqual([]);
    expect(closed(keepingUnknown<unknown>(schema))).toEqual([]);
  });
});
