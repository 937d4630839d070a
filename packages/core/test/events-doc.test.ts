import { readFileSync } from "node:fs";
import { EventBody } from "@tmpm/core";
import { expect, test } from "vitest";

const COMMON = new Set(["type", "at", "session_id", "project_id", "reason"]);

test("docs/events.md lists exactly the types of event and their own fields, in the order of the union", () => {
  const page = readFileSync(new URL("../../../docs/events.md", import.meta.url), "utf8");
  const rows = page.split("\n").flatMap((line) => /^\| `(\w+)` \| ([^|]*) \| [^|]+ \|$/.exec(line)?.slice(1, 3).join(" | ") ?? []);
  const expected = EventBody.options.map(({ shape }) => {
    const fields = Object.keys(shape).filter((field) => !COMMON.has(field));
    return `${shape.type.value} | ${fields.map((field) => `\`${field}\``).join(", ")}`;
  });
  expect(rows, `the rows should begin with:\n\n${expected.join("\n")}\n`).toEqual(expected);
});
