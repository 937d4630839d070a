import type { Finding } from "@tmpm/api/local";
import type { LiveConfig } from "../config/live-config.js";

/** Whether the daemon does what the configuration file says. What is wrong with the file itself is looked at elsewhere. */
export function configFollowed({ fault, waiting }: Pick<LiveConfig, "fault" | "waiting">): readonly Finding[] {
  const name = "config in use";
  if (fault() !== null)
    return [
      {
        name,
        status: "warn",
        message: "the daemon keeps the earlier settings",
        hint: "It takes the file up once that is mended.",
      },
    ];
  const keys = waiting();
  if (keys.length === 0) return [{ name, status: "ok", message: "that of the file", hint: null }];
  return [
    {
      name,
      status: "warn",
      message: `changed since the daemon started: ${keys.join(", ")}`,
      hint: "Take it up with `tmpm daemon restart`; sessions keep running.",
    },
  ];
}
