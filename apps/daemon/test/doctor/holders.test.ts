import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processTable } from "@tmpm/processes";
import { memoryStore } from "@tmpm/store/memory";
import { expect, onTestFinished, test } from "vitest";
import { holderScopes } from "../../src/doctor/holder-scopes.js";
import { holdersOwned } from "../../src/doctor/holders-owned.js";
import { listedHolders } from "../../src/doctor/listed-holders.js";
import { NO_MANAGERS, scopeOf } from "../../src/doctor/server-scope.js";
import { askedOnce, type ServiceManagers } from "../../src/doctor/service-managers.js";

test("a holder of an unknown session is reported with its pid, and an ended one is not", async () => {
  const base = mkdtempSync(join(tmpdir(), "tmpm-holders-"));
  try {
    expect(await holdersOwned({ holders: () => listedHolders([base, join(base, "none")]), store: memoryStore() })).toMatchObject([
      { status: "ok" },
    ]);
    const { start = "" } = (await processTable().some([process.pid])).get(process.pid) ?? {};
    holder(base, { id: "here", pid: process.pid, start });
    holder(base, { id: "gone", pid: process.pid, start: "another" });
    expect(await holdersOwned({ holders: () => listedHolders([base]), store: memoryStore() })).toMatchObject([
      { status: "warn", message: `1 belong to unknown or ended sessions: ${process.pid}` },
    ]);
    mkdirSync(join(base, "hidden", "facts"), { recursive: true });
    const file = join(base, "here", "facts");
    expect((await holdersOwned({ holders: () => listedHolders([file, base]), store: memoryStore() })).slice(1)).toMatchObject([
      { status: "fail", message: expect.stringContaining("ENOTDIR"), hint: expect.stringContaining(file) },
      { status: "warn", message: expect.stringContaining("not a regular file"), hint: expect.stringContaining(join(base, "hidden")) },
    ]);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});

test("holders that a service or a logout would end are one warning for each cause", async () => {
  const base = mkdtempSync(join(tmpdir(), "tmpm-holders-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const look = (cgroup: string | null, more: Partial<ServiceManagers> = {}) =>
    holderScopes({
      holders: () => listedHolders([base, join(base, "none")]),
      cgroup: async () => cgroup,
      managers: { ...NO_MANAGERS, ...more },
    });
  expect(await look("/system.slice/tmpm.service")).toEqual([]);
  const { start = "" } = (await processTable().some([process.pid])).get(process.pid) ?? {};
  for (const id of ["one", "two"]) holder(base, { id, pid: process.pid, start });
  holder(base, { id: "gone", pid: process.pid, start: "another" });
  expect(await look("/system.slice/tmpm.service")).toMatchObject([
    {
      status: "warn",
      message: `holder ${process.pid} (and 1 more): runs in the service tmpm.service: stopping that ends its session`,
      hint: expect.stringContaining("restart the session"),
    },
  ]);
  const own = "/user.slice/user-1.slice/user@1.service/app.slice/run-r1.scope";
  expect(await look(own, { lingers: async () => false })).toMatchObject([
    { status: "warn", hint: expect.stringContaining("enable-linger") },
  ]);
  expect(await look(own, { lingers: async () => true })).toMatchObject([{ status: "ok", hint: null }]);
  expect(await look(null)).toEqual([]);
});

test("the service managers answer each question once for all holders", async () => {
  const asked: string[] = [];
  const answer = <T>(question: string, value: T) => {
    asked.push(question);
    return Promise.resolve(value);
  };
  const managers = askedOnce({
    ownCgroup: () => answer("own", "/system.slice/a.service"),
    killMode: (unit, of) => answer(`${of} ${unit}`, "control-group"),
    killsAtLogout: () => answer("logout", true),
    lingers: () => answer("linger", false),
  });
  const own = "/user.slice/user-1.slice/user@1.service/app.slice";
  const groups = ["/system.slice/a.service", "/user.slice/user-1.slice/session-3.scope", `${own}/run-r1.scope`, `${own}/a.service`];
  for (const cgroup of [...groups, ...groups]) await scopeOf({ cgroup, ends: "it", restart: "restart it", safe: "it is safe" }, managers);
  expect(asked.toSorted()).toEqual(["linger", "logout", "own", "system a.service", "user a.service"]);
});

function holder(base: string, { id, pid, start }: { readonly id: string; readonly pid: number; readonly start: string }): void {
  const boot = process.platform === "linux" ? readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim() : "";
  mkdirSync(join(base, id));
  const facts = { protocol: 1, session_id: id, name: id, socket: join(base, id, "s"), pid, start, boot, started_at: 1, program: null };
  writeFileSync(join(base, id, "facts"), JSON.stringify(facts));
}
