import { TmpmError } from "@tmpm/core";
import type { Channel } from "./channel.js";
import type { Notice } from "./notice.js";
import { runProgram } from "./run-program.js";

export interface DesktopChannelOptions {
  readonly wanted: () => boolean;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

/** Desktop notifications: by `osascript` on macOS, by `notify-send` elsewhere. The arguments, which other users can read, contain names and events only. */
export function desktopChannel({ wanted, platform, env, timeoutMs = 10_000 }: DesktopChannelOptions): Channel {
  return {
    name: "desktop",
    target: () => (wanted() ? (platform === "darwin" ? "osascript" : "notify-send") : null),
    async send(notice, { signal }) {
      if (platform !== "darwin" && !hasDesktop(env))
        throw new TmpmError("NOTIFY_FAILED", "the daemon has no desktop: neither DBUS_SESSION_BUS_ADDRESS nor a display is set", {
          hint: "Restart the daemon from within the desktop: tmpm daemon restart",
        });
      await runProgram(platform === "darwin" ? osascript(notice) : notifySend(notice), { env, timeoutMs, signal });
    },
  };
}

function hasDesktop({ DBUS_SESSION_BUS_ADDRESS, DISPLAY, WAYLAND_DISPLAY }: DesktopChannelOptions["env"]): boolean {
  return [DBUS_SESSION_BUS_ADDRESS, DISPLAY, WAYLAND_DISPLAY].some((each) => each !== undefined && each !== "");
}

/** The body is read as markup (Desktop Notifications Specification 1.2). */
function notifySend({ kind, title, body }: Notice): readonly string[] {
  const markup = body.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const urgency = kind === "finished" ? "low" : "normal";
  return ["notify-send", "--app-name=tmpm", `--urgency=${urgency}`, "--", title, markup];
}

/** The script is constant; the text is passed as arguments. */
function osascript({ title, body }: Notice): readonly string[] {
  return [
    "osascript",
    "-e",
    "on run argv",
    "-e",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "-e",
    "end run",
    "--",
    title,
    body,
  ];
}
