import { visibleText } from "@tmpm/core";

/** Why git refuses a directory, and what it says helps; null when it says nothing. */
export interface GitAdvice {
  readonly reason: string;
  readonly hint: string | null;
}

/** Reads what git printed: its first line is the reason, commands below that and its hints are the advice. */
export function gitAdvice(stderr: string): GitAdvice {
  const [first = "", ...rest] = stderr.trim().split("\n");
  const said = visibleText(first.replace(/^(?:fatal|error): /, "")) || "git refused";
  // Of a directory without any repository git reports which variable could change that.
  if (said.startsWith("not a git repository (or any")) return { reason: "not a git repository", hint: null };
  const hint = rest.map((line) => visibleText(line.replace(/^(?:hint|fatal|error): ?/, "").trim())).filter((line) => line !== "");
  return { reason: said, hint: hint.length === 0 ? null : hint.join(" ") };
}
