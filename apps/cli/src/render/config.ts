import type { OpenConfig, SettingAnswer } from "../config/open-config.js";
import type { View } from "../context.js";
import { table } from "./table.js";

/** Left out one after the other where there is no room: what it is for, and where it was said. */
const SPARE = [3, 2];

export interface ConfigTold extends Pick<OpenConfig, "settings" | "profiles"> {
  readonly all: boolean;
}

/** What is not as usual, or everything; then the profiles. */
export function renderConfig({ settings, profiles, all }: ConfigTold, view: Pick<View, "terminal">): string {
  const told = settings.filter(({ source }) => all || source !== "default");
  const rows = told.map((setting) => [setting.key, setting.shown, from(setting), ...(all ? [setting.summary] : [])]);
  const named = Object.entries(profiles).map(([name, profile]) => [
    `profiles.${name}`,
    Object.entries(profile)
      .map(([field, value]) => `${field}=${Array.isArray(value) ? value.join(",") : value}`)
      .join(" "),
    "file",
    ...(all ? ["A profile for `tmpm new`"] : []),
  ]);
  if (rows.length + named.length === 0) return "";
  const head = ["SETTING", "VALUE", "FROM", ...(all ? ["WHAT"] : [])];
  return table({ head, rows: [...rows, ...named], spare: all ? SPARE : SPARE.slice(1) }, view);
}

function from({ source, variable, option }: SettingAnswer): string {
  if (source === "environment") return variable;
  return source === "flag" ? (option ?? source) : source;
}
