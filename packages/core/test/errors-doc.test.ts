import { readFileSync } from "node:fs";
import { ERRORS } from "@tmpm/core";
import { expect, test } from "vitest";

test("docs/errors.md lists exactly the codes, statuses, exit codes and titles of ERRORS, in their order", () => {
  const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const expected = Object.entries(ERRORS).map(([code, { http, exit, title }]) => `| \`${code}\` | ${http} | ${exit} | ${title} |`);
  expect(rows, `replace the rows of the table in docs/errors.md by these:\n\n${expected.join("\n")}\n`).toEqual(expected);
});
