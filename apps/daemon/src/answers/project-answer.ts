import type { Output } from "@tmpm/api";
import type { Scope } from "@tmpm/core";
import type { ProjectFacts, Trusted } from "@tmpm/supervisor";

export function projectAnswer({ project, sessions, active, waiting }: ProjectFacts): Output<"addProject"> {
  const { told_budget: _, ...shown } = project;
  return { ...shown, sessions: { total: sessions, active, waiting } };
}

export function scopeAnswer(scope: Scope): Output<"scope"> {
  const { stray_paths, foreign_issue_ids } = scope.kind === "out_of_scope" ? scope : { stray_paths: [], foreign_issue_ids: [] };
  return { kind: scope.kind, stray_paths: [...stray_paths], foreign_issue_ids: [...foreign_issue_ids] };
}

export function trustAnswer({ setup, ...trusted }: Trusted): Output<"trust"> {
  const copies =
    setup === null
      ? null
      : {
          ...setup,
          copy: [...setup.copy],
          link: [...setup.link],
          run: [...setup.run],
          teardown: [...setup.teardown],
          ports: [...setup.ports],
        };
  return { ...trusted, setup: copies };
}
