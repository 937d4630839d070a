import { basename } from "node:path";
import type { Finding } from "@tmpm/api/local";
import type { ServerInfo } from "@tmpm/tmux-driver";
import type { ServiceManagers } from "./service-managers.js";

/** Events that would end tmpm's tmux server with all its sessions: the end of the service whose control group it is in, or a logout. */
export async function serverScope({ cgroup }: ServerInfo, managers: ServiceManagers = NO_MANAGERS): Promise<readonly Finding[]> {
  if (cgroup === null) return [];
  const unit = basename(cgroup);
  const isUsers = cgroup.includes("/user@");
  if (unit.endsWith(".service")) return [await inService({ cgroup, unit, isUsers }, managers)];
  if (/^session-.*\.scope$/.test(unit)) return [await inLogin(unit, managers)];
  if (unit.endsWith(".scope")) return [await inScope({ unit, isUsers }, managers)];
  return [ok(`not in a service (control group ${cgroup})`)];
}

const NAME = "tmux scope";

/** Without systemd, or if it does not answer. */
const NO_MANAGERS: ServiceManagers = {
  ownCgroup: async () => null,
  killMode: async () => null,
  killsAtLogout: async () => null,
  lingers: async () => null,
};

interface Unit {
  readonly unit: string;
  readonly isUsers: boolean;
}

async function inService({ cgroup, unit, isUsers }: Unit & { readonly cgroup: string }, managers: ServiceManagers): Promise<Finding> {
  const mode = await managers.killMode(unit, isUsers ? "user" : "system");
  if (mode === "process" || mode === "none") return ok(`runs in ${unit}, which ends its first process only (KillMode=${mode})`);
  const whose = cgroup === (await managers.ownCgroup()) ? "this daemon's" : "the";
  return warn(
    `runs in ${whose} service ${unit}: stopping that ends every session`,
    "Set KillMode=process for the service, or make `systemd-run --user --scope` available to it and restart the server.",
  );
}

async function inLogin(unit: string, managers: ServiceManagers): Promise<Finding> {
  if ((await managers.killsAtLogout()) !== true) return ok(`runs in the login session ${unit}, which a logout does not end`);
  return warn(
    `runs in the login session ${unit}: logging out ends every session`,
    "`tmpm daemon install` makes your own systemd run it; the next server, started after the last session has ended, is then safe.",
  );
}

async function inScope({ unit, isUsers }: Unit, managers: ServiceManagers): Promise<Finding> {
  if (!isUsers || (await managers.lingers()) !== false) return ok(`runs in ${unit}`);
  return warn(`runs in ${unit} of your own systemd, which ends with your last logout`, "To keep it: loginctl enable-linger");
}

function ok(message: string): Finding {
  return { name: NAME, status: "ok", message, hint: null };
}

function warn(message: string, hint: string): Finding {
  return { name: NAME, status: "warn", message, hint };
}
