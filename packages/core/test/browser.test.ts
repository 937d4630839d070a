import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { ID } from "./a-record.js";
import { bundle } from "./bundle.js";

const EVERYTHING = `export * from "@tmpm/core"; export * from "@tmpm/core/compat/trusty-mpm"; export * from "@tmpm/core/compat/ao"; export * from "@tmpm/core/compat/swimmers";`;

describe("browser bundle", () => {
  test("runs without Node globals", async () => {
    const { text } = await bundle(EVERYTHING);
    const probe = `JSON.stringify({
      globals: [typeof process, typeof Buffer, typeof require],
      name: bundled.nameFromDir("/home/ada/My App"),
      text: bundled.parseText("a\\r\\nb"),
      session: bundled.Session.parse({ id: "${ID}", workdir: "/w", status: "Active", control: "Tmux", active_delegations: 0, created_at: "2026-01-01T01:00:00+01:00" }).created_at,
      refused: bundled.SessionRecord.safeParse({}).success,
      code: (() => { try { bundled.parseSlug("../x"); } catch (error) { return error.code; } })(),
      runtime: bundled.trustyMpm({ now: () => "" }).decodeFile({ sessions: { "${ID}": { runtime: "gpt" } } })[0].kind,
    })`;
    expect(JSON.parse(runInNewContext(`${text}\n${probe}`, {}))).toEqual({
      globals: ["undefined", "undefined", "undefined"],
      name: "tmpm-my-app",
      text: "a\nb",
      session: "2026-01-01T00:00:00Z",
      refused: false,
      code: "INVALID_ARGUMENT",
      runtime: "damaged",
    });
  });

  test("imports no Node modules", async () => {
    const { text, files } = await bundle(EVERYTHING);
    expect(text).not.toMatch(/["']node:/);
    expect(files.filter((file) => !/^src\/|\/zod\/|^<stdin>$/.test(file))).toEqual([]);
  });

  test("bundles no zod for errors, text, names, times and transitions", async () => {
    const { files } = await bundle(`
      export { TmpmError, fromErrorBody, parseText, visibleText, nameFromDir, nameFromUuid, uniqueName, normalizeUuid, parseSlug,
        msFromTimestamp, compareTimestamps, transition, sessionStatus, toSession } from "@tmpm/core";`);
    expect(files.filter((file) => file.includes("zod"))).toEqual([]);
    expect(files).toContain("src/session/names.ts");
  });
});

test("zod is core's only dependency", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(Object.keys(manifest.dependencies)).toEqual(["zod"]);
  for (const kind of ["peerDependencies", "optionalDependencies", "bundledDependencies"]) expect(manifest).not.toHaveProperty(kind);
});
