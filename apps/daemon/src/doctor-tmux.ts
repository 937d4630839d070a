import { basename } from "node:path";
import type { Check } from "@tmpm/api";
import { cgroupOf, type ServerInfo, type TmuxDriver } from "@tmpm/tmux-driver";

/** The own tmux server: whether it answers, whether tmux was upgraded under it, and what would end it. */
export async function tmuxChecks(driver: TmuxDriver, { ownCgroup = () => cgroupOf(process.pid) }: CgroupSource = {}): Promise<Check[]> {
  const name = "tmux server";
  const answer = await driver.server();
  if (answer.kind === "absent") {
    return [{ name, status: "ok", message: `not running; it starts with the first session (${driver.socket})`, hint: null }];
  }
  if (answer.kind === "unknown") return [{ name, status: "fail", message: answer.error.message, hint: answer.error.hint }];
  const { version, pid, socket } = answer.value;
  const server: Check = { name, status: "ok", message: `tmux ${version}, pid ${pid}, ${socket} (${driver.transport})`, hint: null };
  return [server, ...versions(answer.value), ...placement(answer.value, await ownCgroup())];
}

export interface CgroupSource {
  /** Of this daemon. */
  readonly ownCgroup?: () => Promise<string | null>;
}

function versions({ version, programVersion }: ServerInfo): Check[] {
  if (programVersion === null || programVersion === version) return [];
  return [
    {
      name: "tmux version",
      status: "warn",
      message: `the server is tmux ${version}, the program is ${programVersion} by now`,
      hint: "Sessions run on. The server that starts after the last of them has ended is the new one.",
    },
  ];
}

function placement({ cgroup }: ServerInfo, own: string | null): Check[] {
  const name = "tmux scope";
  if (cgroup === null) return [];
  if (cgroup.endsWith(".scope")) return [{ name, status: "ok", message: `runs in ${basename(cgroup)}`, hint: null }];
  if (!cgroup.endsWith(".service")) return [{ name, status: "ok", message: `no service holds it (control group ${cgroup})`, hint: null }];
  return [
    {
      name,
      status: "warn",
      message: `runs in ${cgroup === own ? "this daemon's" : "the"} service ${basename(cgroup)}: stopping that ends every session`,
      hint: "Set KillMode=process for the service, or let `systemd-run --user --scope` work for it and start the server anew.",
    },
  ];
}
