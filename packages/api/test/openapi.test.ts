import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ERRORS } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { CONTRACTS, PATHS } from "../src/index.js";
import { openApi, referenceMarkdown, referencePage } from "../src/openapi/index.js";
import { type Document, incompatibilities } from "./incompatibilities.js";

const COMMITTED = fileURLToPath(new URL("../openapi.json", import.meta.url));
const REFERENCE = fileURLToPath(new URL("../../../docs/api-reference.md", import.meta.url));
const AGAIN = "write them anew: npx vitest run packages/api/test/openapi.test.ts -u";

const document = openApi({ version: "0.0.0" });
/** As it travels. */
const written: Document = JSON.parse(JSON.stringify(document));

describe("the API's description", () => {
  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document) as object as Record<string, unknown>);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, "3.1"]);
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  test("has every route, and nothing that it refers to is missing", () => {
    const names = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(names.sort()).toEqual(Object.keys(PATHS).sort());
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(
      ([, kind = "", name = ""]) => [kind, name] as const,
    );
    const components = new Map(Object.entries(document.components).map(([kind, named]) => [kind, Object.keys(named)]));
    for (const [kind, name] of refs) expect(components.get(kind)).toContain(name);
  });

  test("tells of streams, conditions, keys and the background where the contracts do", () => {
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

  test("adds to what was promised and takes nothing back; the file and the reference are up to date", async () => {
    if (existsSync(COMMITTED)) {
      const committed: Document = JSON.parse(readFileSync(COMMITTED, "utf8"));
      expect(
        incompatibilities(committed, written),
        "clients that are out there would break; a file that is removed first can be written anew",
      ).toEqual([]);
    }
    await expect(`${JSON.stringify(document, null, 1)}\n`, AGAIN).toMatchFileSnapshot(COMMITTED);
    await expect(referenceMarkdown(document), AGAIN).toMatchFileSnapshot(REFERENCE);
  });

  test("tells every field of a body, also of one that has a name", () => {
    const [, create = ""] = /\n## create\n(.*?)\n## /s.exec(referenceMarkdown(document)) ?? [];
    for (const field of Object.keys(CONTRACTS.create.body.shape)) expect(create).toMatch(new RegExp(`\\| \`${field}\`\\?? \\| body \\|`));
  });

  test("is a page without scripts and without anything from elsewhere", () => {
    const page = referencePage(document, { nonce: "abc" });
    expect(page).toMatch(/<style nonce="abc">/);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=|\sstyle=/i);
    expect([...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, to = ""]) => to).filter((to) => !to.startsWith("#"))).toEqual([
      "/openapi.json",
    ]);
    for (const name of Object.keys(CONTRACTS)) expect(page).toContain(`<section id="${name}">`);
  });
});

describe("compatibility", () => {
  function changed(change: (copy: never) => void): readonly string[] {
    const copy = structuredClone(written);
    change(copy as never);
    return incompatibilities(written, copy);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the tests reach into the document as it is written
  type Written = any;

  test.each<[string, (copy: Written) => void]>([
    ["a route that is gone", ({ paths }) => delete paths["/v1/next"]],
    ["a parameter that is gone", ({ paths }) => paths["/v1/sessions"].get.parameters.shift()],
    [
      "a parameter that has to be given",
      ({ paths }) => paths["/v1/sessions"].get.parameters.push({ name: "x", in: "query", required: true, schema: {} }),
    ],
    ["a field that has to be sent", ({ components }) => components.schemas.SendBody.required.push("key")],
    ["a sent field that is gone", ({ components }) => delete components.schemas.SendBody.properties.queue],
    ["a sent number with a smaller range", ({ components }) => (components.schemas.SendBody.properties.timeout_ms.maximum = 10)],
    ["an answered field that is gone", ({ components }) => delete components.schemas.SessionAnswer.properties.hint],
    ["an answered field that may be missing", ({ components }) => components.schemas.SessionAnswer.required.pop()],
    [
      "an answered field of another type",
      ({ components }) => (components.schemas.SessionAnswer.properties.viewers.type = ["integer", "null"]),
    ],
    ["a status that never comes", ({ paths }) => delete paths["/v1/sessions"].post.responses[202]],
  ])("%s is told", (_, change) => {
    expect(changed(change)).not.toEqual([]);
  });

  test.each<[string, (copy: Written) => void]>([
    ["a new route", ({ paths }) => (paths["/v1/new"] = paths["/v1/next"])],
    [
      "an optional parameter",
      ({ paths }) => paths["/v1/sessions"].get.parameters.push({ name: "x", in: "query", required: false, schema: {} }),
    ],
    ["an optional field", ({ components }) => (components.schemas.SendBody.properties.more = { type: "string" })],
    ["another answered field", ({ components }) => (components.schemas.SessionAnswer.properties.more = { type: "string" })],
    ["a wider range", ({ components }) => (components.schemas.SendBody.properties.timeout_ms.maximum = 10 ** 10)],
  ])("%s is an addition", (_, change) => {
    expect(changed(change)).toEqual([]);
  });
});
