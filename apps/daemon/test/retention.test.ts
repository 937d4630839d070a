import { expect, test } from "vitest";
import { retention } from "../src/retention.js";

test("the retention is a number of days, with a default", () => {
  expect(retention({})).toEqual({});
  expect(retention({ TMPM_RETENTION_DAYS: "7" })).toEqual({ retention: { archiveMs: 7 * 86_400_000, deleteMs: 7 * 86_400_000 } });
  for (const bad of ["0", "-1", "1.5", "soon", "9999999"]) {
    expect(() => retention({ TMPM_RETENTION_DAYS: bad })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
});
