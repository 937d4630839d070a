import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { requireListed } from "../src/files/process-places.js";
import { runProgram } from "../src/files/run-program.js";
import { askGh } from "../src/pull-request/gh.js";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-run-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const run = (...argv: [string, ...string[]]) => runProgram({ argv, env: { PATH: process.env.PATH }, timeoutMs: 60_000 });

test("a program that cannot be started gives the error of the system, and the call does not throw", async () => {
  expect(await run("/nonexistent")).toMatchObject({ kind: "refused", code: "ENOENT" });
  expect(await run("true", "x".repeat(200_000))).toMatchObject({ kind: "refused", code: "E2BIG" });
  const file = join(emptyFolder(), "file");
  writeFileSync(file, "");
  expect(await run(file)).toMatchObject({ kind: "refused", code: "EACCES", reason: expect.stringContaining("EACCES") });
  expect(await run("/bin/sh", "-c", "echo out; echo err >&2; exit 3")).toEqual({
    kind: "ended",
    status: 3,
    stdout: "out\n",
    stderr: "err\n",
  });
  expect(await runProgram({ argv: ["sleep", "1000"], env: { PATH: process.env.PATH }, timeoutMs: 50 })).toEqual({ kind: "late" });
});

test("a gh that the system does not start is reported with the cause", async () => {
  const folder = emptyFolder();
  const ask = askGh({ env: { PATH: folder }, timeoutMs: 60_000 });
  const request = { host: "github.com", path: "user" };
  expect(await ask(request)).toMatchObject({ kind: "unavailable", cause: "not_installed" });
  writeFileSync(join(folder, "gh"), "");
  expect(await ask(request)).toMatchObject({
    cause: "not_installed",
    reason: expect.stringMatching(/^no executable gh was found: .*EACCES/),
  });
  chmodSync(join(folder, "gh"), 0o755);
  const long = { ...request, path: "x".repeat(200_000) };
  expect(await ask(long)).toMatchObject({ cause: "failed", reason: expect.stringMatching(/^gh could not be started: .*E2BIG/) });
});

test("a failure of lsof to list processes is an error with its cause", () => {
  expect(requireListed({ kind: "ended", status: 1, stdout: "p1\nn/\n", stderr: "" })).toBe("p1\nn/\n");
  expect(() => requireListed({ kind: "refused", code: "ENOENT", reason: "spawn lsof ENOENT" })).toThrow("lsof is not installed");
  expect(() => requireListed({ kind: "refused", code: "EMFILE", reason: "spawn lsof EMFILE" })).toThrow("spawn lsof EMFILE");
  expect(() => requireListed({ kind: "late" })).toThrow("no answer");
  expect(() => requireListed({ kind: "ended", status: 1, stdout: "", stderr: "no memory\n" })).toThrow("no memory");
  expect(() => requireListed({ kind: "ended", status: null, stdout: "p1\nn/\n", stderr: "" })).toThrow("it was killed");
});
