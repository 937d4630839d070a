import type { Finding } from "@tmpm/api/local";
import type { LiveConfig } from "../config/live-config.js";

/** Whether the daemon uses the current configuration file. The file itself is checked elsewhere. */
export function configFollowed({ fault, waiting }: Pick<LiveConfig, "fault" | "waiting">): readonly Finding[] {
  const name = "config in use";
  if (fault() !== null)
    return [
      {
        name,
        status: "warn",
        message: "the daemon keeps the earlier settings",
        hint: "It applies the file once it is fixed.",
      },
    ];
  const keys = waiting();
  if (keys.length === 0) return [{ name, status: "ok", message: "same as the file", hint: null }];
  return [
    {
      name,
      status: "warn",
      message: `changed since the daemon started: ${keys.join(", ")}`,
      hint: "Apply it with `tmpm daemon restart`; sessions keep running.",
    },
  ];
}
