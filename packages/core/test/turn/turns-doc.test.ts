import { readFileSync } from "node:fs";
import { TURN_REASONS } from "@tmpm/core";
import { expect, test } from "vitest";

test("docs/turns.md lists exactly the reasons of TURN_REASONS, with their outcomes, codes and titles, in their order", () => {
  const page = readFileSync(new URL("../../../../docs/turns.md", import.meta.url), "utf8");
  const outcomes = page.slice(page.indexOf("## Outcomes"), page.indexOf("**Causes.**"));
  const rows = outcomes.split("\n").filter((line) => line.startsWith("| `"));
  const expected = Object.entries(TURN_REASONS).map(([reason, row]) => {
    const code = "code" in row ? `\`${row.code}\`` : "";
    return `| \`${reason}\` | \`${row.outcome}\` | ${code} | ${row.title} |`;
  });
  expect(rows, `replace the rows of the table in docs/turns.md by these:\n\n${expected.join("\n")}\n`).toEqual(expected);
});
