import { stringify } from "yaml";
import { SETTING_KEYS, settingOf } from "./settings.js";

/** A file with every setting as a comment, each with its description and default. */
export function configTemplate(): string {
  const lines = [
    "# Overrides of tmpm's defaults. To use a line, remove the # from it and from the line of its group.",
    "# `tmpm config list` shows the effective values and their sources; see docs/config.md.",
  ];
  let group: readonly string[] = [];
  for (const key of SETTING_KEYS.toSorted(byGroup)) {
    const { form, fallback, usual, summary, secrecy } = settingOf(key);
    if (secrecy === "withheld") continue;
    const names = key.split(".");
    const shared = names.slice(0, -1).findIndex((name, index) => group[index] !== name);
    const opened = shared < 0 ? [] : names.slice(shared, -1).map((name, index) => `#${"  ".repeat(shared + index)}${name}:`);
    group = names.slice(0, -1);
    const indent = "  ".repeat(group.length);
    const value = fallback === null ? "" : stringify(fallback, { collectionStyle: "flow" }).trim();
    lines.push(...(opened.length > 0 || group.length === 0 ? [""] : []), ...opened);
    lines.push(
      `#${indent}${names.at(-1)}:${value === "" ? "" : ` ${value}`}  # ${summary}${usual === undefined ? "" : ` (${usual})`}: ${form.what}`,
    );
  }
  return `${[...lines, "", "#profiles:", "#  careful:", "#    agent: claude", "#    permissions: plan"].join("\n")}\n`;
}

/** Keys without a group come first, and a group's own keys before its subgroups. */
function byGroup(a: string, b: string): number {
  return group(a) === group(b) ? 0 : group(a) < group(b) ? -1 : 1;
}

function group(key: string): string {
  return key.split(".").slice(0, -1).join(".");
}
