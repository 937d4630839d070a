import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import { livenessOf, ownIdentity } from "../src/locks/process-identity.js";
import { psStart, sysctlBoot } from "../src/locks/process-identity-ps.js";

afterEach(() => vi.unstubAllEnvs());

const BOOT_TIME = "{ sec = 1795920000, usec = 5 } Sun Nov 29 00:00:00 2026";

test("if the boot of a process or of this machine is unknown, the process is gone only if its pid does not exist", async () => {
  const own = ownIdentity();
  expect(livenessOf({ ...own, boot: "" })).toBe("running");
  expect(livenessOf({ ...own, boot: "", start: `${own.start}0` })).toBe("unknown");
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "close");
  expect(livenessOf({ ...own, boot: "", pid: child.pid ?? 0 })).toBe("gone");
  expect(livenessOf({ ...own, boot: "another" })).toBe("gone");
  expect(livenessOf({ ...own, boot: "another", namespace: "another" })).toBe("gone");
  expect(livenessOf({ ...own, boot: "", namespace: "another" })).toBe("unknown");
  expect(livenessOf({ ...own, namespace: "another" })).toBe("unknown");
  expect(livenessOf({ ...own, start: "" })).toBe("running");
  expect(livenessOf({ ...own, boot: "", start: "" })).toBe("unknown");
});

describe("identity of a process without /proc", () => {
  test("does not depend on the time zone, and is null once the process is gone", async ({ skip }) => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    await once(child, "spawn");
    const pid = child.pid ?? 0;
    const starts = ["UTC", "Asia/Tokyo", "America/Lima"].map((zone) => {
      vi.stubEnv("TZ", zone);
      return psStart(pid);
    });
    child.stdin.end();
    await once(child, "close");
    if (starts[0] === undefined) skip("needs ps");
    expect(starts[0]).toMatch(/^[A-Z][a-z]{2}-[A-Z][a-z]{2}-\d+-\d\d-\d\d-\d\d-\d{4}$/);
    expect(new Set(starts).size).toBe(1);
    expect(psStart(pid)).toBeNull();
  });

  test("names the boot by its id, and only without one by its time, which moves with the clock", () => {
    const sysctl = (id: string) => (names: readonly string[]) => (names[0] === "kern.bootsessionuuid" ? id : BOOT_TIME);
    expect(sysctlBoot(sysctl("5F8D2C1A-0B7E-4C3D-9A61-2E4F6B8C0D12\n"))).toBe("5f8d2c1a0b7e4c3d9a612e4f6b8c0d12");
    expect(sysctlBoot(sysctl(""))).toBe("1795920000");
    expect(sysctlBoot(() => "")).toBe("");
  });
});
