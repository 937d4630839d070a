import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DOCUMENT_FOLDERS } from "@tmpm/api/local";
import { MOST_DOCUMENT_BYTES } from "@tmpm/core";
import { expect, test } from "vitest";
import type { Place } from "../../src/doctor/local-finding.js";
import { shapes } from "../../src/doctor/shapes.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

/** Sparse files take no space. */
function fileOf(path: string, bytes: number): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "", { mode: 0o600 });
  truncateSync(path, bytes);
  return path;
}

test.each(DOCUMENT_FOLDERS)("a document in %s may be as large as the store allows, and no larger", async (folder) => {
  using dir = temporaryDir();
  const place = { location: { home: dir.path }, uid: process.getuid?.() ?? 0 } as Place;
  fileOf(join(dir.path, folder, "a.json"), MOST_DOCUMENT_BYTES);
  expect(await shapes(place)).toMatchObject([{ status: "ok", message: expect.stringContaining("1 files") }]);
  const larger = fileOf(join(dir.path, folder, "b.json"), MOST_DOCUMENT_BYTES + 1);
  expect(await shapes(place)).toMatchObject([{ status: "fail", message: `${larger} is larger than 64 MiB` }]);
});
