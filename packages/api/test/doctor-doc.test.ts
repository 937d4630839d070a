import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DOCTOR_CHECKS } from "../src/local/index.js";

test("docs/doctor.md lists exactly the checks, in their order", () => {
  const page = readFileSync(new URL("../../../docs/doctor.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const expected = Object.entries(DOCTOR_CHECKS).map(
    ([id, { by, proves, fix }]) => `| \`${id}\` | ${by} | ${proves} |${fix === null ? "" : ` ${fix}`} |`,
  );
  expect(rows, `replace the rows of the table in docs/doctor.md by these:\n\n${expected.join("\n")}\n`).toEqual(expected);
});
