import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { pageFiles } from "../../src/web/page-files.js";
import { openDoors, SECRETS } from "../fixtures/door-fixture.js";
import { rawRequest, requestText } from "../fixtures/raw-request.js";

type Fixture = Awaited<ReturnType<typeof openDoors>>;

function get(
  fixture: Fixture,
  path: string,
  headers: readonly (readonly [string, string])[] = [["cookie", `tmpm_${fixture.port}=${SECRETS.login}`]],
) {
  const all: readonly (readonly [string, string])[] = [
    ["host", `127.0.0.1:${fixture.port}`],
    ["sec-fetch-site", "same-origin"],
    ...headers,
  ];
  return rawRequest({ host: "127.0.0.1", port: fixture.port }, requestText(`GET ${path}`, all));
}

const SCRIPT = "/assets/main-c0ffee01.js";

describe("the dashboard's files", () => {
  test("dashboard files are served to logged-in browsers, with headers that allow caching and forbid foreign scripts", async () => {
    const fixture = await openDoors();
    const index = await get(fixture, "/");
    expect([index.status, index.body]).toEqual([200, expect.stringContaining("page of the tests")]);
    for (const header of [
      "cache-control: no-cache",
      "x-content-type-options: nosniff",
      "x-frame-options: DENY",
      "content-type: text/html; charset=utf-8",
    ])
      expect(index.head).toMatch(new RegExp(header, "i"));
    const policy = /content-security-policy: (.*)\r/i.exec(index.head)?.[1] ?? "";
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect((await get(fixture, SCRIPT)).head).toMatch(/cache-control: private, max-age=31536000, immutable/i);
    for (const path of ["/sw.js", "/manifest.webmanifest"]) expect((await get(fixture, path)).head).toMatch(/cache-control: no-cache/i);
    expect((await get(fixture, "/manifest.webmanifest")).head).toMatch(/content-type: application\/manifest\+json/i);
  });

  test("files are not sent again to a browser that has cached them", async () => {
    const fixture = await openDoors();
    const cookie = ["cookie", `tmpm_${fixture.port}=${SECRETS.login}`] as const;
    const etag = /etag: (.*)\r/i.exec((await get(fixture, "/")).head)?.[1] ?? "";
    const again = await get(fixture, "/", [cookie, ["if-none-match", etag], ["connection", "close"]]);
    expect([again.status, again.body]).toEqual([304, ""]);
  });

  test("anonymous callers get the login page, and none of the files", async () => {
    const fixture = await openDoors();
    for (const headers of [[], [["cookie", `tmpm_${fixture.port}=${SECRETS.wrong}`]]] as const) {
      const front = await get(fixture, "/", headers);
      expect([front.status, front.body]).toEqual([200, expect.stringContaining("tmpm: log in")]);
      for (const path of [SCRIPT, "/sw.js", "/manifest.webmanifest"]) expect((await get(fixture, path, headers)).status).toBe(401);
    }
  });

  test("each file has exactly one address, and no other path reaches it", async () => {
    const fixture = await openDoors();
    const paths = ["/index.html", "/assets/", "/assets", "/assets/../index.html", "/assets/..%2f..%2fpage.test.ts", "/..%2fpage.test.ts"];
    const more = [
      "/%2e%2e/page.test.ts",
      "/assets/%2e%2e/sw.js",
      "/assets%2fmain-c0ffee01.js/..",
      "/assets\\main.js",
      "/SW.JS",
      "/sw.js%00",
    ];
    for (const path of [...paths, ...more])
      expect([path, (await get(fixture, path)).status]).toEqual([path, expect.toBeOneOf([400, 401, 404])]);
  });
});

describe("reading a folder of files", () => {
  function folder(): string {
    const dir = mkdtempSync(join(tmpdir(), "tmpm-page-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    return dir;
  }

  test("a folder without a page yields nothing, and links to elsewhere are not followed", () => {
    const dir = folder();
    expect(pageFiles(join(dir, "missing"))).toEqual([]);
    mkdirSync(join(dir, "assets"));
    writeFileSync(join(dir, "assets", "a.js"), "1");
    expect(pageFiles(dir)).toEqual([]);
    writeFileSync(join(dir, "index.html"), "<!doctype html>".repeat(50));
    writeFileSync(join(dir, "notes.md"), "of an unknown type");
    symlinkSync("/etc/passwd", join(dir, "link.txt"));
    const files = pageFiles(dir);
    expect(files.map(({ path }) => path)).toEqual(["assets/a.js", ""]);
    const [, index] = files;
    expect(gunzipSync(index?.gzipped() ?? Buffer.alloc(0))).toEqual(index?.bytes);
  });
});
