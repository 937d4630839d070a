import { expect, test } from "vitest";
import { fixedConfig } from "../../src/config/live-config.js";
import { retention } from "../../src/config/retention.js";

const of = (env: Record<string, string>) => retention(fixedConfig(env).values());

test("the retention is a number of days, with a default", () => {
  expect(of({})).toEqual({ retention: { archiveMs: 30 * 86_400_000, deleteMs: 30 * 86_400_000 } });
  expect(of({ TMPM_RETENTION_DAYS: "7" })).toEqual({ retention: { archiveMs: 7 * 86_400_000, deleteMs: 7 * 86_400_000 } });
  for (const bad of ["0", "-1", "1.5", "soon", "9999999"]) {
    expect(() => of({ TMPM_RETENTION_DAYS: bad })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  }
});
