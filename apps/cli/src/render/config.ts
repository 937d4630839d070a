import type { OpenConfig, SettingAnswer } from "../config/open-config.js";
import { columns } from "./columns.js";

/** What is not as usual, or everything; then the profiles. */
export function renderConfig(
  { settings, profiles }: Pick<OpenConfig, "settings" | "profiles">,
  { all }: { readonly all: boolean },
): string {
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
  return columns([["SETTING", "VALUE", "FROM", ...(all ? ["WHAT"] : [])], ...rows, ...named]);
}

function from({ source, variable, option }: SettingAnswer): string {
  if (source === "environment") return variable;
  return source === "flag" ? (option ?? source) : source;
}
