import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ERRORS } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { CONTRACTS } from "../src/index.js";
import { openApi, referenceMarkdown, referencePage } from "../src/openapi/index.js";
import { type Document, incompatibilities } from "./incompatibilities.js";
import { pathsFile } from "./paths-file.js";

const COMMITTED = fileURLToPath(new URL("../openapi.json", import.meta.url));
const PATHS = fileURLToPath(new URL("../src/paths.ts", import.meta.url));
const REFERENCE = fileURLToPath(new URL("../../../docs/api-reference.md", import.meta.url));
const AGAIN = "update them: npx vitest run packages/api/test/openapi.test.ts -u";

const document = openApi({ version: "0.0.0" });
/** In wire format. */
const written: Document = JSON.parse(JSON.stringify(document));

describe("the API's description", () => {
  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document) as object as Record<string, unknown>);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, "3.1"]);
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  test("has every route, and every reference resolves", () => {
    const names = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(names.sort()).toEqual(Object.keys(CONTRACTS).sort());
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(
      ([, kind = "", name = ""]) => [kind, name] as const,
    );
    const components = new Map(Object.entries(document.components).map(([kind, named]) => [kind, Object.keys(named)]));
    for (const [kind, name] of refs) expect(components.get(kind)).toContain(name);
  });

  test("describes streams, conditions, keys and background operations as in the contracts", () => {
    const { paths } = document;
    expect(paths["/v1/events"]?.get?.responses[200]).toMatchObject({
      content: { "text/event-stream": { example: expect.stringContaining("id: 1") } },
    });
    expect(paths["/v1/sessions/{session}/stream"]?.get?.responses).toHaveProperty("101");
    expect(paths["/v1/sessions"]?.post?.responses).toHaveProperty("202");
    expect(paths["/v1/sessions/{session}"]?.get?.responses).toHaveProperty("304");
    expect(paths["/v1/sessions/{session}/set"]?.post?.parameters).toContainEqual({ $ref: "#/components/parameters/ifMatch" });
    expect(paths["/v1/sessions/{session}/keys"]?.post?.parameters).not.toContainEqual({ $ref: "#/components/parameters/ifMatch" });
    expect(paths["/v1/sessions"]?.post?.["x-error-codes"]).toEqual(
      expect.arrayContaining(["NAME_TAKEN", "INVALID_ARGUMENT", "IDEMPOTENCY_MISMATCH"]),
    );
    expect(JSON.stringify(paths["/v1/sessions"]?.post?.responses[409])).toContain(ERRORS.NAME_TAKEN.title);
  });

  test("only extends the published API; the file, the reference and the table of paths are up to date", async () => {
    if (existsSync(COMMITTED)) {
      const committed: Document = JSON.parse(readFileSync(COMMITTED, "utf8"));
      expect(
        incompatibilities(committed, written),
        "existing clients would break; after deleting the file, it can be generated again",
      ).toEqual([]);
    }
    await expect(`${JSON.stringify(document, null, 1)}\n`, AGAIN).toMatchFileSnapshot(COMMITTED);
    await expect(referenceMarkdown(document), AGAIN).toMatchFileSnapshot(REFERENCE);
    await expect(pathsFile(), AGAIN).toMatchFileSnapshot(PATHS);
  });

  test("the outline has every field of a body, also of a named one", () => {
    const [, create = ""] = /\n## create\n(.*?)\n## /s.exec(referenceMarkdown(document)) ?? [];
    for (const field of Object.keys(CONTRACTS.create.body.shape)) expect(create).toMatch(new RegExp(`\\| \`${field}\`\\?? \\| body \\|`));
  });

  test("is a page without scripts and external resources", () => {
    const page = referencePage(document, { nonce: "abc" });
    expect(page).toMatch(/<style nonce="abc">/);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=|\sstyle=/i);
    expect([...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, to = ""]) => to).filter((to) => !to.startsWith("#"))).toEqual([
      "/openapi.json",
    ]);
    for (const name of Object.keys(CONTRACTS)) expect(page).toContain(`<section id="${name}">`);
  });
});

/** One change, as in JSON Patch (RFC 6902): a removal or an addition, in a list at its end. */
interface Edit {
  readonly op: "add" | "remove";
  readonly path: readonly string[];
  readonly value?: unknown;
}

function edited({ op, path, value }: Edit): readonly string[] {
  const copy = structuredClone(written);
  const parent = path.slice(0, -1).reduce(child, copy as unknown);
  const last = path.at(-1) ?? "";
  if (op === "remove") child(parent, last);
  if (Array.isArray(parent)) {
    if (op === "remove") parent.splice(Number(last), 1);
    else parent.push(value);
  } else if (op === "remove") Reflect.deleteProperty(Object(parent), last);
  else Reflect.set(Object(parent), last, value);
  return incompatibilities(written, copy);
}

/** A missing path would make a change without effect. */
function child(node: unknown, key: string): unknown {
  if (typeof node !== "object" || node === null || !(key in node)) throw new Error(`the document has no ${key} there`);
  return Reflect.get(node, key);
}

describe("compatibility", () => {
  const parameters = ["paths", "/v1/sessions", "get", "parameters"];
  const sent = ["components", "schemas", "SendBody"];
  const answered = ["components", "schemas", "SessionAnswer"];
  const parameter = (required: boolean) => ({ name: "x", in: "query", required, schema: {} });

  test.each<readonly [string, Edit]>([
    ["a removed route", { op: "remove", path: ["paths", "/v1/next"] }],
    ["a removed parameter", { op: "remove", path: [...parameters, "0"] }],
    ["a new required parameter", { op: "add", path: [...parameters, "-"], value: parameter(true) }],
    ["a new required field", { op: "add", path: [...sent, "required", "-"], value: "key" }],
    ["a removed request field", { op: "remove", path: [...sent, "properties", "queue"] }],
    ["a request number with a smaller range", { op: "add", path: [...sent, "properties", "timeout_ms", "maximum"], value: 10 }],
    ["a removed response field", { op: "remove", path: [...answered, "properties", "hint"] }],
    ["a response field that became optional", { op: "remove", path: [...answered, "required", "0"] }],
    ["a response field of another type", { op: "add", path: [...answered, "properties", "viewers", "type"], value: ["integer", "null"] }],
    ["a removed status", { op: "remove", path: ["paths", "/v1/sessions", "post", "responses", "202"] }],
  ])("%s is reported", (_, edit) => {
    expect(edited(edit)).not.toEqual([]);
  });

  test.each<readonly [string, Edit]>([
    ["a new route", { op: "add", path: ["paths", "/v1/new"], value: child(child(written, "paths"), "/v1/next") }],
    ["an optional parameter", { op: "add", path: [...parameters, "-"], value: parameter(false) }],
    ["an optional field", { op: "add", path: [...sent, "properties", "more"], value: { type: "string" } }],
    ["a new response field", { op: "add", path: [...answered, "properties", "more"], value: { type: "string" } }],
    ["a wider range", { op: "add", path: [...sent, "properties", "timeout_ms", "maximum"], value: 10 ** 10 }],
  ])("%s is an addition", (_, edit) => {
    expect(edited(edit)).toEqual([]);
  });
});
