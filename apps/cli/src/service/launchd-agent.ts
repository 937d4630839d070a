import type { ServicePlan } from "./service-plan.js";

export interface AgentWords {
  readonly plan: ServicePlan;
  /** The label, such as `dev.tmpm.daemon`. */
  readonly label: string;
}

/** The user agent, as a property list (launchd.plist(5)). */
export function launchdAgent({ plan, label }: AgentWords): string {
  const words = plan.command.map((word) => `    ${text(word)}`);
  const variables = Object.entries(plan.env).map(([name, value]) => `    <key>${escaped(name)}</key>${text(value)}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by \`tmpm daemon install\`, removed by \`tmpm daemon uninstall\`. -->
<plist version="1.0">
<dict>
  <key>Label</key>${text(label)}
  <key>ProgramArguments</key>
  <array>
${words.join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join("\n")}
  </dict>
  <key>WorkingDirectory</key><string>/</string>
  <key>RunAtLoad</key><true/>
  <!-- After a crash, not after \`tmpm daemon stop\`. -->
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key><false/>
  </dict>
  <key>ThrottleInterval</key><integer>10</integer>
  <!-- Sessions live in a tmux server that the daemon may have started: only the daemon is ended with this agent. -->
  <key>AbandonProcessGroup</key><true/>
  <!-- The daemon finishes work in progress within six seconds. -->
  <key>ExitTimeOut</key><integer>15</integer>
</dict>
</plist>
`;
}

function text(value: string): string {
  return `<string>${escaped(value)}</string>`;
}

function escaped(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
