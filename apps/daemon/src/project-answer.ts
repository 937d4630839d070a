import type { Output } from "@tmpm/api";
import type { Scope } from "@tmpm/core";
import type { ProjectFacts } from "@tmpm/supervisor";

export function projectAnswer({ project, sessions, active, waiting }: ProjectFacts): Output<"addProject"> {
  return { ...project, sessions: { total: sessions, active, waiting } };
}

export function scopeAnswer(scope: Scope): Output<"scope"> {
  if (scope.kind !== "out_of_scope") return scope;
  return { ...scope, stray_paths: [...scope.stray_paths], foreign_issue_ids: [...scope.foreign_issue_ids] };
}
