import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { isPassing } from "../../src/lifecycle/passing-fault.js";

test("temporary shortages of the machine do not end the daemon, also as the cause of a tmpm error; faults in tmpm do", () => {
  const failed = (code: string) => Object.assign(new Error(`${code}: open '/proc/stat'`), { code, syscall: "open" });
  for (const code of ["EMFILE", "ENFILE", "ENOMEM", "EIO", "ENOSPC"]) {
    expect(isPassing(failed(code))).toBe(true);
    expect(isPassing(new TmpmError("STORE_DEGRADED", "no", { cause: failed(code) }))).toBe(true);
  }
  const ours = [
    failed("ENOENT"),
    new TypeError("x is not a function"),
    Object.assign(new Error("EMFILE"), { code: "EMFILE" }),
    "EMFILE",
    null,
  ];
  expect(ours.map(isPassing)).toEqual(ours.map(() => false));
});
