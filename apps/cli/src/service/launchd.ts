import { join } from "node:path";
import { askManager, commandManager, type Manager } from "./ask-manager.js";
import { launchdAgent } from "./launchd-agent.js";
import type { ServiceManager } from "./service-manager.js";
import type { ServiceWhere } from "./service-where.js";

/** The user's launchd, in the domain of the graphical login. */
export function launchd({ env, userHome, uid, tag }: ServiceWhere): ServiceManager {
  const label = tag === null ? "dev.tmpm.daemon" : `dev.tmpm.daemon.${tag}`;
  const file = join(userHome, "Library", "LaunchAgents", `${label}.plist`);
  const domain = `gui/${uid}`;
  const target = `${domain}/${label}`;
  const launchctl: Manager = { program: "launchctl", env };
  const command = (...args: readonly string[]) => commandManager(launchctl, args);
  const ask = (...args: readonly string[]) => askManager(launchctl, args);
  const isKnown = async () => (await ask("print", target)).status === 0;
  return {
    kind: "launchd",
    label,
    file,
    render: (plan) => launchdAgent({ plan, label }),
    async absence() {
      const { status, complaint } = await ask("print", domain);
      return status === 0 ? null : complaint || `launchctl ended with status ${status}`;
    },
    async enable() {
      await command("enable", target);
      if (await isKnown()) await command("bootout", target);
      await command("bootstrap", domain, file);
    },
    async reload() {
      if (await isKnown()) await command("bootout", target);
      await command("bootstrap", domain, file);
    },
    async start() {
      if (!(await isKnown())) await command("bootstrap", domain, file);
      await command("kickstart", target);
    },
    async disable() {
      if (await isKnown()) await command("bootout", target);
    },
    forget: async () => undefined,
    async state() {
      const { status, stdout } = await ask("print", target);
      return { enabled: status === 0, active: /^\s*state = (.+)$/m.exec(stdout)?.[1] ?? "not loaded" };
    },
    lingering: async () => null,
  };
}
