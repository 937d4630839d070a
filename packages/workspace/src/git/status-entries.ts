import { plural } from "../plural.js";
import { type Reason, type ReasonCode, reason } from "../refusal.js";

export interface StatusRead {
  readonly reasons: readonly Reason[];
  readonly ignored: number;
}

const CONFLICTS = ["DD", "AU", "UD", "UA", "DU", "AA", "UU"];

/** Reads `git status --porcelain=v1 -z --no-renames`: two letters, a space and a path each, ended by NUL. */
export function readStatus(text: string): StatusRead {
  const entries = text.split("\0").flatMap((entry) => (entry.length < 4 ? [] : [{ letters: entry.slice(0, 2), path: entry.slice(3) }]));
  const paths = (wanted: (letters: string) => boolean) => entries.filter(({ letters }) => wanted(letters)).map(({ path }) => path);
  const tracked = (letters: string) => letters !== "??" && letters !== "!!" && !CONFLICTS.includes(letters);
  const rows: readonly { code: ReasonCode; what: string; items: readonly string[] }[] = [
    { code: "conflicts", what: "in conflict", items: paths((letters) => CONFLICTS.includes(letters)) },
    { code: "staged", what: "staged", items: paths((letters) => tracked(letters) && letters[0] !== " ") },
    { code: "unstaged", what: "changed", items: paths((letters) => tracked(letters) && letters[1] !== " ") },
    { code: "untracked", what: "untracked", items: paths((letters) => letters === "??") },
  ];
  return {
    reasons: rows.flatMap(({ code, what, items }) =>
      items.length === 0 ? [] : [reason(code, { kind: "work", message: `${plural(items.length, "file")} ${what}`, items })],
    ),
    ignored: paths((letters) => letters === "!!").length,
  };
}
