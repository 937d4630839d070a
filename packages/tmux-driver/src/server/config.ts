import type { Capabilities } from "../capabilities.js";
import { quoted } from "../transport/argument.js";
import type { UserSettings } from "./user-config.js";

export interface ServerConfig {
  readonly user: UserSettings;
  /** The user's own file, loaded whole before ours; null for its keys only. */
  readonly source: string | null;
  readonly capabilities: Capabilities;
}

/** Requirements of our servers, regardless of the user's settings; `-q` ignores options that an older tmux lacks. */
const NEEDED = [
  "set -gq remain-on-exit-format ''",
  "set -gq exit-empty off",
  "set -gq exit-unattached off",
  "set -gq destroy-unattached off",
  "set -gq update-environment ''",
  "set -gq set-clipboard external",
  "set -gq allow-passthrough off",
  "set -gq allow-rename off",
  "set -gq automatic-rename off",
  "set -gq set-titles off",
  "set -gq lock-after-time 0",
  "set -gq monitor-activity off",
] as const;

/** Settings that a user's whole configuration decides itself. */
const COMFORT = [
  "set -gq focus-events on",
  "set -gq escape-time 10",
  "set -gq history-limit 5000",
  "set -gq window-size latest",
  "set -gq default-terminal screen-256color",
  "set -gq status-left '[#{session_name}] '",
  "set -gq status-left-length 40",
] as const;

/** Programs that request them get keys such as Shift+Enter. */
const EXTENDED_KEYS = [
  "set -sq extended-keys on",
  "set -sq extended-keys-format csi-u",
  ...["xterm*", "tmux*", "alacritty*", "foot*", "wezterm*"].map((term) => `set -asq terminal-features ',${term}:extkeys'`),
] as const;

/** The text of our server's configuration file. */
export function renderConfig({ user, source, capabilities }: ServerConfig): string {
  const theirs =
    source === null
      ? [...COMFORT, ...(capabilities.extendedKeys ? EXTENDED_KEYS : []), ...takenOver(user)]
      : [`source-file -q ${quoted(escapeGlob(source))}`];
  const lines = [...theirs, ...NEEDED];
  return `${lines.join("\n")}\n`;
}

function takenOver(user: UserSettings): string[] {
  const prefix = user.prefix === null ? [] : ["unbind-key C-b", `bind-key ${quoted(user.prefix)} send-prefix`];
  const options = Object.entries({
    prefix: user.prefix,
    prefix2: user.prefix2,
    "mode-keys": user.modeKeys,
    "status-keys": user.statusKeys,
    mouse: user.mouse,
  });
  return [...prefix, ...options.flatMap(([name, value]) => (value === null ? [] : [`set -gq ${name} ${quoted(value)}`]))];
}

/** `source-file` reads its argument as a pattern. */
function escapeGlob(path: string): string {
  return path.replace(/[*?[\]\\]/g, "\\$&");
}
