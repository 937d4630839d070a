import { TmpmError } from "@tmpm/core";
import { memoryStore } from "@tmpm/store/memory";
import { type ServerInfo, type TmuxDriver, tmuxHost } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { expect, test } from "vitest";
import { doctor } from "../../src/doctor/doctor.js";
import { hostsAvailable, type LookedAtHost } from "../../src/doctor/hosts-available.js";
import { serverScope } from "../../src/doctor/server-scope.js";
import type { ServiceManagers } from "../../src/doctor/service-managers.js";

const SERVER: ServerInfo = { socket: "/s", pid: 7, start: 1, version: "3.5a", programVersion: "3.5a", cgroup: null };

const NO_MANAGERS: ServiceManagers = {
  ownCgroup: async () => null,
  killMode: async () => null,
  killsAtLogout: async () => null,
  lingers: async () => null,
};

async function checked(server: Partial<ServerInfo>) {
  const driver: TmuxDriver = { ...fakeTmux().driver, server: async () => ({ kind: "present", value: { ...SERVER, ...server } }) };
  const checks = await doctor({ driver, store: memoryStore(), adapters: [], env: {} })();
  return checks.filter(({ id }) => id?.startsWith("tmux")).map(({ id, status, message }) => `${status} ${id}: ${message}`);
}

async function scope(cgroup: string, managers: Partial<ServiceManagers> = {}) {
  const [found] = await serverScope({ ...SERVER, cgroup }, { ...NO_MANAGERS, ...managers });
  return `${found?.status}: ${found?.message}`;
}

test("a server is reported with its version and how it is reached", async () => {
  expect(await checked({})).toEqual(["ok tmux-server: tmux 3.5a, pid 7, /s (memory)"]);
});

test("a tmux that was upgraded under its server is reported", async () => {
  expect((await checked({ programVersion: "3.8" }))[1]).toBe("warn tmux-version: the server is tmux 3.5a, the program is now 3.8");
  expect(await checked({ programVersion: null })).toHaveLength(1);
});

test("a service that would end the server when it stops is a warning, and one that would not is not reported", async () => {
  const service = "/user.slice/user-1.slice/user@1.service/app.slice/tmpm.service";
  expect(await scope("/")).toBe("ok: not in a service (control group /)");
  expect(await scope(service, { ownCgroup: async () => service })).toBe(
    "warn: runs in this daemon's service tmpm.service: stopping that ends every session",
  );
  expect(await scope(service, { killMode: async () => "control-group" })).toContain("warn: runs in the service tmpm.service");
  const asked: string[] = [];
  const killMode: ServiceManagers["killMode"] = async (...unit) => {
    asked.push(unit.join(" of "));
    return "process";
  };
  expect(await scope(service, { killMode })).toBe("ok: runs in tmpm.service, which ends its first process only (KillMode=process)");
  expect(await scope("/system.slice/other.service", { killMode })).toMatch(/^ok/);
  expect(asked).toEqual(["tmpm.service of user", "other.service of system"]);
});

test("a logout that would end the server is a warning", async () => {
  const own = "/user.slice/user-1.slice/user@1.service/app.slice/run-r1.scope";
  expect(await scope(own, { lingers: async () => false })).toMatch(/^warn: .*ends with your last logout/);
  expect(await scope(own, { lingers: async () => true })).toBe("ok: runs in run-r1.scope");
  expect(await scope(own)).toBe("ok: runs in run-r1.scope");
  const login = "/user.slice/user-1.slice/session-3.scope";
  expect(await scope(login, { killsAtLogout: async () => true })).toMatch(/^warn: .*logging out ends every session/);
  expect(await scope(login, { killsAtLogout: async () => false })).toMatch(/^ok: .*session-3\.scope/);
});

test("an unresponsive server fails the check, and a server that is not running passes", async () => {
  const tmux = fakeTmux();
  const look = doctor({ driver: tmux.driver, store: memoryStore(), adapters: [], env: {} });
  expect((await look())[0]).toMatchObject({ status: "ok", message: expect.stringContaining("not running") });
  tmux.failNext("server", "unknown");
  expect((await look())[0]?.status).toBe("fail");
});

test("an unresponsive host fails the check with the reason, and new sessions still run on it", async () => {
  const { driver } = fakeTmux();
  const spare: LookedAtHost = { control: "Pty", available: async () => ({ kind: "available", detail: "node-pty" }) };
  const look = (server = driver.server) => hostsAvailable([tmuxHost({ driver: { ...driver, server } }), spare]);
  expect(await look()).toMatchObject([{ status: "ok", message: expect.stringContaining("the default for new sessions") }, {}]);
  const error = new TmpmError("TMUX_FAILED", "tmux: directory /tmp/tmux-0 has unsafe permissions", { hint: "Move it away." });
  expect(await look(async () => ({ kind: "unknown", error }))).toMatchObject([
    { name: "host tmux", status: "fail", message: error.message, hint: "Move it away." },
    { name: "host pty", status: "ok", message: "node-pty" },
  ]);
});

test("a check that hangs or fails is one finding and does not delay the others", async () => {
  const tmux = fakeTmux();
  const parts = { driver: tmux.driver, store: memoryStore(), adapters: [], env: {}, deadlineMs: 500 };
  const broken = () => Promise.reject(new Error("it broke"));
  const checks = await doctor({ ...parts, utf8: () => new Promise(() => undefined), silentAgents: broken })();
  expect(checks.map(({ id, status, message }) => `${status} ${id}: ${message}`)).toEqual([
    expect.stringContaining("ok tmux-server"),
    "fail tmux-utf8: no answer within 0.5 s",
    "ok survivors: no process of an ended session is running",
    expect.stringContaining("ok records"),
    "fail agent-hooks: it could not be checked: it broke",
  ]);
});
