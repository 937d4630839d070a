import type { ServicePlan } from "./service-plan.js";

export interface UnitWords {
  readonly plan: ServicePlan;
  /** The unit's name, such as `tmpm.service`. */
  readonly label: string;
  /** The daemon's exit status when another one is running: retrying would not help. */
  readonly taken: number;
}

/** The user unit, as text (systemd.service(5)). */
export function systemdUnit({ plan, label, taken }: UnitWords): string {
  const environment = Object.entries(plan.env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`);
  const [program, ...args] = plan.command;
  return `# Written by \`tmpm daemon install\`, removed by \`tmpm daemon uninstall\`.
# To change something: systemctl --user edit ${label}

[Unit]
Description=tmpm, a supervisor of coding agents
# Five starts within a minute that fail are enough.
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${[quoted(program), ...args.map((word) => quoted(word).replaceAll("$", "$$$$"))].join(" ")}
WorkingDirectory=/
${environment.join("\n")}
# Sessions live in a tmux server of their own, which may be in this service's control group: only the daemon is ended with it.
KillMode=process
# The daemon ends what is under way within six seconds.
TimeoutStopSec=15
Restart=on-failure
RestartSec=2
# It ends with this when another daemon has the data folder.
RestartPreventExitStatus=${taken}
# An agent that takes all the memory ends no other.
OOMPolicy=continue

[Install]
WantedBy=default.target
`;
}

/** One word of a unit file: systemd.syntax(7) for quotes and backslashes, systemd.unit(5) for percent signs. */
function quoted(word: string): string {
  return `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
}
