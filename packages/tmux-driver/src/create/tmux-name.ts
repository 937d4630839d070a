import { TERMINAL_NAME, TmpmError } from "@tmpm/core";

/**
 * The session name that tmux makes of a requested one: `.` and `:` become `_`. @throws INVALID_ARGUMENT for names that tmux would expand or
 * read as a target
 */
export function tmuxName(name: string): string {
  if (!TERMINAL_NAME.test(name)) {
    throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(name)} cannot be a tmux session name`, {
      hint: "Use 1-64 ASCII letters, digits, - and _, not beginning with -.",
      details: { field: "tmuxName" },
    });
  }
  return name.replace(/[.:]/g, "_");
}
