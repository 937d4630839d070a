import { readFileSync } from "node:fs";
import { SEND_REASONS } from "@tmpm/core";
import { expect, test } from "vitest";

test("docs/sending.md lists exactly the reasons of SEND_REASONS, with their outcomes and titles, in their order", () => {
  const page = readFileSync(new URL("../../../../docs/sending.md", import.meta.url), "utf8");
  const reasons = page.slice(page.indexOf("## Reasons"), page.indexOf("## What is not byte for byte"));
  const rows = reasons.split("\n").filter((line) => line.startsWith("| `"));
  const expected = Object.entries(SEND_REASONS).map(([reason, { outcomes, title }]) => {
    return `| \`${reason}\` | ${outcomes.map((outcome) => `\`${outcome}\``).join(", ")} | ${title} |`;
  });
  expect(rows, `replace the rows of the table in docs/sending.md by these:\n\n${expected.join("\n")}\n`).toEqual(expected);
});
