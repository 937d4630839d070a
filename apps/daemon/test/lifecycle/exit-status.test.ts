import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { exitStatus } from "../../src/lifecycle/exit-status.js";

const SYSTEM = Object.assign(new Error("EMFILE: too many open files, open 'x'"), { code: "EMFILE", errno: -24, syscall: "open" });

test.each([
  { why: "a regular end", error: null, status: 0, logged: [] },
  { why: "an error with a code", error: new TmpmError("DAEMON_RUNNING", "another runs"), status: 4, logged: ["error another runs"] },
  { why: "a failed system call", error: SYSTEM, status: 70, logged: [`fatal the daemon ended: ${SYSTEM.message}`] },
  { why: "a fault", error: "text", status: 70, logged: ["fatal the daemon ended: text"] },
])("the exit status after $why is $status", async ({ error, status, logged }) => {
  const lines: string[] = [];
  const line = (level: string) => (_: unknown, message?: string) => void lines.push(`${level} ${message}`);
  const log = { error: line("error"), fatal: line("fatal") };
  const run = async () => {
    if (error !== null) throw error;
  };
  expect(await exitStatus(run, log as never)).toBe(status);
  expect(lines).toEqual(logged);
});
