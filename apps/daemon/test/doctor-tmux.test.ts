import type { ServerInfo, TmuxDriver } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { expect, test } from "vitest";
import { tmuxChecks } from "../src/doctor-tmux.js";

const SERVER: ServerInfo = { socket: "/s", pid: 7, start: 1, version: "3.5a", programVersion: "3.5a", cgroup: null };

async function checked(server: Partial<ServerInfo>, own: string | null = null) {
  const driver: TmuxDriver = { ...fakeTmux().driver, server: async () => ({ kind: "present", value: { ...SERVER, ...server } }) };
  const checks = await tmuxChecks(driver, { ownCgroup: async () => own });
  return checks.map(({ name, status, message }) => `${status} ${name}: ${message}`);
}

test("a server is told with its version and how it is reached", async () => {
  expect(await checked({})).toEqual(["ok tmux server: tmux 3.5a, pid 7, /s (memory)"]);
});

test("a tmux that was upgraded under its server is told", async () => {
  expect((await checked({ programVersion: "3.8" }))[1]).toBe("warn tmux version: the server is tmux 3.5a, the program is 3.8 by now");
  expect(await checked({ programVersion: null })).toHaveLength(1);
});

test("what would end the server is told, and a service that would is a warning", async () => {
  expect((await checked({ cgroup: "/user.slice/run-r1.scope" }))[1]).toBe("ok tmux scope: runs in run-r1.scope");
  expect((await checked({ cgroup: "/" }, "/"))[1]).toBe("ok tmux scope: no service holds it (control group /)");
  const service = "/user.slice/tmpm.service";
  expect((await checked({ cgroup: service }, service))[1]).toBe(
    "warn tmux scope: runs in this daemon's service tmpm.service: stopping that ends every session",
  );
  expect((await checked({ cgroup: service }, "/"))[1]).toContain("runs in the service tmpm.service");
});

test("a server that does not answer fails the check, and one that does not run is well", async () => {
  const tmux = fakeTmux();
  expect((await tmuxChecks(tmux.driver))[0]).toMatchObject({ status: "ok", message: expect.stringContaining("not running") });
  tmux.failNext("server", "unknown");
  expect((await tmuxChecks(tmux.driver))[0]?.status).toBe("fail");
});
