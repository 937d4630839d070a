import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { figure, summary } from "./figures.mjs";

const folder = mkdtempSync(join(tmpdir(), "tmpm-figures-"));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

test("figures with a target are collected, and the summary shows the missed ones", () => {
  const path = join(folder, "figures");
  vi.stubEnv("TMPM_TEST_FIGURES", path);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  figure("rate", { value: 0.599, target: 0.6 });
  figure("latency", { value: 12.34, unit: " ms", most: 10 });
  figure("a ceiling", { value: 3 });
  expect(summary(readFileSync(path, "utf8"))).toBe(
    [
      "figure   now      target",
      "rate     0.60x    at least 0.6x  met",
      "latency  12.3 ms  at most 10 ms  MISSED",
      "2 targets, 1 missed",
    ].join("\n"),
  );
});

test("the summary lists the failed benchmarks", () => {
  expect(summary("", ["store.bench.mjs"])).toMatch(/\n0 targets, all met\nfailed, with its other figures missing here: store.bench.mjs$/);
});

test("the summary of a run without figures is empty", () => {
  expect(summary("")).toBe("figure  now  target\n0 targets, all met");
});
