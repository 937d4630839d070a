import type { OpenConfig, SettingAnswer } from "../config/open-config.js";
import type { View } from "../context.js";
import { cellWidth } from "./cell-width.js";
import { facts } from "./facts.js";
import { table } from "./table.js";

export interface ShownConfig extends Pick<OpenConfig, "settings" | "profiles"> {
  readonly all: boolean;
}

/** Non-default settings, or all; then the profiles. */
export function renderConfig({ settings, profiles, all }: ShownConfig, view: Pick<View, "terminal">): string {
  const shown = settings.filter(({ source }) => all || source !== "default");
  const rows = shown.map((setting) => [setting.key, setting.shown, from(setting), ...(all ? [setting.summary] : [])]);
  const named = Object.entries(profiles).map(([name, profile]) => [
    `profiles.${name}`,
    Object.entries(profile)
      .map(([field, value]) => `${field}=${Array.isArray(value) ? value.join(",") : value}`)
      .join(" "),
    "file",
    ...(all ? ["A profile for `tmpm new`"] : []),
  ]);
  if (rows.length + named.length === 0) return "";
  const listed = [["SETTING", "VALUE", "FROM", ...(all ? ["WHAT"] : [])], ...rows, ...named];
  const [head = [], ...below] = listed;
  if (!all || fits(listed, view)) return table({ head, rows: below, spare: [2] }, view);
  return facts(
    below.map(([key = "", value, source, what]) => [key, `${value} (${source}): ${what}`]),
    view,
  );
}

function fits(rows: readonly (readonly string[])[], { terminal }: Pick<View, "terminal">): boolean {
  const columns = terminal?.columns ?? null;
  const lines = table({ rows }, {}).split("\n");
  return columns === null || lines.every((line) => cellWidth(line) <= columns);
}

function from({ source, variable, option }: SettingAnswer): string {
  if (source === "environment") return variable;
  return source === "flag" ? (option ?? source) : source;
}
