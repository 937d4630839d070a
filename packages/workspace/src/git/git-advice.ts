import { visibleText } from "@tmpm/core";

/** Git's reason for rejecting a directory, and its advice; null without any. */
export interface GitAdvice {
  readonly reason: string;
  readonly hint: string | null;
}

/** Parses git's output: its first line is the reason, later commands and hints are the advice. */
export function gitAdvice(stderr: string): GitAdvice {
  const [first = "", ...rest] = stderr.trim().split("\n");
  const said = visibleText(first.replace(/^(?:fatal|error): /, "")) || "git refused";
  // For a directory without any repository git names a variable that could change that.
  if (said.startsWith("not a git repository (or any")) return { reason: "not a git repository", hint: null };
  const hint = rest.map((line) => visibleText(line.replace(/^(?:hint|fatal|error): ?/, "").trim())).filter((line) => line !== "");
  return { reason: said, hint: hint.length === 0 ? null : hint.join(" ") };
}
