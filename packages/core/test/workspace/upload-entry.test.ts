import { expect, test } from "vitest";
import { uploadDisplayName, uploadFileName } from "../../src/index.js";

const DIGEST = "a".repeat(64);

test.each([
  ["notes.TXT", ".txt"],
  ["a.tar.gz", ".gz"],
  ["noext", ""],
  [".bashrc", ".bashrc"],
  ["x.sh;rm", ""],
  ["../../etc/passwd", ""],
  ["x.\u202etxt", ""],
  ["a.b c", ""],
  [`x.${"e".repeat(17)}`, ""],
])("an upload entry uses only the extension of %j: %j", (name, extension) => {
  expect(uploadFileName(DIGEST, name)).toBe(`${DIGEST}${extension}`);
});

test.each([
  ["../../etc/passwd", "passwd"],
  ["C:\\me\\x.png", "x.png"],
  ["a\nb\u001b[31m.txt", "ab[31m.txt"],
  ["..", "upload"],
  ["/", "upload"],
  ["", "upload"],
])("an upload entry shows %j as %j", (name, shown) => {
  expect(uploadDisplayName(name)).toBe(shown);
});
