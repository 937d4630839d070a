import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { CONTRACTS, type Contract, type Input, type Output, PATHS, type RouteName, type SessionAnswer } from "../src/index.js";

const names = Object.keys(PATHS) as RouteName[];

function isTable(value: unknown): value is Readonly<Record<string, Contract>> {
  const routes = typeof value === "object" && value !== null ? Object.values(value) : [];
  return routes.length > 0 && routes.every((route) => typeof route === "object" && route !== null && "method" in route && "path" in route);
}

describe("the contract table", () => {
  test("every path has a contract, and every contract has a path", () => {
    expect(Object.keys(CONTRACTS).sort()).toEqual([...names].sort());
  });

  test("has each route of each file once, by its name and by its method and path", async () => {
    const folder = new URL("../src/contracts/", import.meta.url);
    const files = readdirSync(folder).filter((file) => file !== "route-files.ts");
    const exported = await Promise.all(files.map((file) => import(fileURLToPath(new URL(file, folder)))));
    const tables = exported.flatMap((values) => Object.values<unknown>(values)).filter(isTable);
    const routes = tables.flatMap((table) => Object.entries(table).map(([name, { method, path }]) => `${name} ${method} ${path}`));
    expect(routes.toSorted()).toEqual(
      Object.entries(CONTRACTS)
        .map(([name, { method, path }]) => `${name} ${method} ${path}`)
        .toSorted(),
    );
  });

  test("no two routes share method and path", () => {
    const routes = names.map((name) => `${PATHS[name].method} ${PATHS[name].path}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  test.each(names)("%s: the path's parameters are those of the contract", (name) => {
    const inPath = Array.from(PATHS[name].path.matchAll(/:(\w+)/g), ([, parameter]) => parameter);
    expect(propertiesOf(CONTRACTS[name].params)).toEqual(inPath);
  });

  test.each(names)("%s: only POST has a body, and reading routes change nothing", (name) => {
    const contract: Contract = CONTRACTS[name];
    expect(contract.body !== null).toBe(PATHS[name].method === "POST");
    if (PATHS[name].method !== "GET") expect(contract.scope).not.toBe("observer");
  });

  test.each(names)("%s: parameters, query and body have distinct fields, since the client merges them into one object", (name) => {
    const contract: Contract = CONTRACTS[name];
    const fields = [contract.params, contract.query, contract.body].flatMap((schema) => (schema === null ? [] : propertiesOf(schema)));
    expect(new Set(fields).size).toBe(fields.length);
  });

  test.each(names)("%s: every part has a JSON schema", (name) => {
    const contract: Contract = CONTRACTS[name];
    const inputs = [contract.params, contract.query, ...(contract.body === null ? [] : [contract.body])];
    for (const schema of inputs) expect(z.toJSONSchema(schema, { io: "input" })).toMatchObject({ type: "object" });
    expect(z.toJSONSchema(contract.answer, { io: "output" })).toMatchObject({ type: "object" });
  });

  test.each(names)("%s: its example follows the contract", (name) => {
    const { example, params, query, body, answer }: Contract = CONTRACTS[name];
    expect(params.safeParse(example.params ?? {}).error).toBeUndefined();
    expect(query.safeParse(example.query ?? {}).error).toBeUndefined();
    expect(body?.safeParse(example.body ?? {}).error).toBeUndefined();
    expect(body === null ? example.body : undefined).toBeUndefined();
    expect(answer.safeParse(example.answer).error).toBeUndefined();
  });

  test.each(names)("%s: has a summary of one line", (name) => {
    expect(CONTRACTS[name].summary).toMatch(/^[A-Z][^\n]{3,138}[^.\n]$/);
  });

  test("query values are text, and are parsed by type", () => {
    expect(CONTRACTS.list.query.parse({ all: "true" })).toEqual({ all: true });
    expect(CONTRACTS.list.query.parse({ all: "false" })).toEqual({ all: false });
    expect(CONTRACTS.capture.query.parse({ history: "12" })).toEqual({ history: 12 });
    expect(CONTRACTS.wait.query.parse({})).toEqual({ until: ["idle"], timeout_ms: 30_000 });
    expect(CONTRACTS.list.query.safeParse({ all: "yes" }).success).toBe(false);
    expect(CONTRACTS.capture.query.safeParse({ history: "many" }).success).toBe(false);
  });

  test("an unknown field is refused, not ignored", () => {
    expect(CONTRACTS.create.body.safeParse({ cwd: "/", colour: "red" }).success).toBe(false);
    expect(CONTRACTS.list.query.safeParse({ al: "true" }).success).toBe(false);
  });

  test("the client's types follow the contracts", () => {
    expectTypeOf<Input<"send">>().toMatchObjectType<{ session: string; text: string }>();
    expectTypeOf<{ readonly all: true }>().toExtend<Input<"list">>();
    expectTypeOf<Record<never, never>>().toExtend<Input<"health">>();
    expectTypeOf<Output<"show">>().toEqualTypeOf<SessionAnswer>();
  });
});

function propertiesOf(schema: z.ZodType): readonly string[] {
  return Object.keys(z.toJSONSchema(schema, { io: "input" }).properties ?? {});
}
