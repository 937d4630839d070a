import { join } from "node:path";
import { ERRORS } from "@tmpm/core";
import { askManager, commandManager, type Manager } from "./ask-manager.js";
import type { ServiceManager } from "./service-manager.js";
import type { ServiceWhere } from "./service-where.js";
import { systemdUnit } from "./systemd-unit.js";

/** The user's own systemd. */
export function systemd({ env, userHome, user, tag }: ServiceWhere): ServiceManager {
  const label = tag === null ? "tmpm.service" : `tmpm-${tag}.service`;
  const file = join(env.XDG_CONFIG_HOME || join(userHome, ".config"), "systemd", "user", label);
  const systemctl: Manager = { program: "systemctl", env };
  const command = (...args: readonly string[]) => commandManager(systemctl, ["--user", ...args]);
  const ask = (...args: readonly string[]) => askManager(systemctl, ["--user", ...args]);
  return {
    kind: "systemd",
    label,
    file,
    render: (plan) => systemdUnit({ plan, label, taken: ERRORS.DAEMON_RUNNING.exit }),
    async absence() {
      const { status, complaint } = await ask("show", "--property=Version");
      return status === 0 ? null : complaint || `systemctl ended with status ${status}`;
    },
    async enable() {
      await command("daemon-reload");
      await command("enable", "--now", label);
    },
    reload: () => command("daemon-reload"),
    async start() {
      // A unit that failed too often is not started until it is reset.
      await ask("reset-failed", label);
      await command("start", label);
    },
    disable: () => command("disable", "--now", label),
    forget: () => command("daemon-reload"),
    async state() {
      const [enabled, active] = await Promise.all([ask("is-enabled", label), ask("is-active", label)]);
      return { enabled: enabled.status === 0, active: active.stdout || active.complaint || "unknown" };
    },
    async lingering() {
      const { status, stdout } = await askManager({ program: "loginctl", env }, ["show-user", user, "--property=Linger", "--value"]);
      if (status === 0 && stdout === "yes") return null;
      return `Logging out ends the daemon, and the sessions with it. To keep them: loginctl enable-linger ${user}`;
    },
  };
}
