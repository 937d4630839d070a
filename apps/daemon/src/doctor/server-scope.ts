import { basename } from "node:path";
import type { Finding } from "@tmpm/api/local";
import type { ServerInfo } from "@tmpm/tmux-driver";
import type { ServiceManagers } from "./service-managers.js";

/** Events that would end tmpm's tmux server with all its sessions: the end of the service whose control group it is in, or a logout. */
export async function serverScope({ cgroup }: ServerInfo, managers: ServiceManagers = NO_MANAGERS): Promise<readonly Finding[]> {
  return cgroup === null ? [] : [{ name: "tmux scope", ...(await scopeOf({ cgroup, ...SERVER }, managers)) }];
}

const SERVER = {
  ends: "every session",
  restart: "restart the server",
  safe: "the next server, started after the last session has ended, is then safe",
};

/** A process whose end would end sessions. */
export interface Scoped {
  readonly cgroup: string;
  /** Words for the sessions that would end, for the way to a safe process, and for the safe process. */
  readonly ends: string;
  readonly restart: string;
  readonly safe: string;
}

/** Without systemd, or if it does not answer. */
export const NO_MANAGERS: ServiceManagers = {
  ownCgroup: async () => null,
  killMode: async () => null,
  killsAtLogout: async () => null,
  lingers: async () => null,
};

type Scope = Omit<Finding, "name">;

/** Whether the end of a service, or a logout, would end the process. */
export async function scopeOf(process: Scoped, managers: ServiceManagers): Promise<Scope> {
  const unit = basename(process.cgroup);
  if (unit.endsWith(".service")) return inService(process, managers);
  if (/^session-.*\.scope$/.test(unit)) return inLogin(process, managers);
  if (unit.endsWith(".scope")) return inScope(process, managers);
  return ok(`not in a service (control group ${process.cgroup})`);
}

async function inService({ cgroup, ends, restart }: Scoped, managers: ServiceManagers): Promise<Scope> {
  const unit = basename(cgroup);
  const mode = await managers.killMode(unit, isUsers(cgroup) ? "user" : "system");
  if (mode === "process" || mode === "none") return ok(`runs in ${unit}, which ends its first process only (KillMode=${mode})`);
  const whose = cgroup === (await managers.ownCgroup()) ? "this daemon's" : "the";
  return warn(
    `runs in ${whose} service ${unit}: stopping that ends ${ends}`,
    `Set KillMode=process for the service, or make \`systemd-run --user --scope\` available to it and ${restart}.`,
  );
}

async function inLogin({ cgroup, ends, safe }: Scoped, managers: ServiceManagers): Promise<Scope> {
  const unit = basename(cgroup);
  if ((await managers.killsAtLogout()) !== true) return ok(`runs in the login session ${unit}, which a logout does not end`);
  return warn(
    `runs in the login session ${unit}: logging out ends ${ends}`,
    `\`tmpm daemon install\` makes your own systemd run it; ${safe}.`,
  );
}

async function inScope({ cgroup }: Scoped, managers: ServiceManagers): Promise<Scope> {
  const unit = basename(cgroup);
  if (!isUsers(cgroup) || (await managers.lingers()) !== false) return ok(`runs in ${unit}`);
  return warn(`runs in ${unit} of your own systemd, which ends with your last logout`, "To keep it: loginctl enable-linger");
}

function isUsers(cgroup: string): boolean {
  return cgroup.includes("/user@");
}

function ok(message: string): Scope {
  return { status: "ok", message, hint: null };
}

function warn(message: string, hint: string): Scope {
  return { status: "warn", message, hint };
}
