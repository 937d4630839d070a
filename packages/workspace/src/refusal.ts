import { TmpmError } from "@tmpm/core";

/**
 * Why a workspace is left unchanged. `unsafe`: it is not, or may not be, the directory that we made. `in_use`: a running process would lose
 * its directory. `work`: it contains unsaved work. Only `work` may be moved to the trash on request, from where it can be restored.
 */
export interface Reason {
  readonly kind: "unsafe" | "in_use" | "work";
  readonly code: ReasonCode;
  readonly message: string;
  /** Subjects, limited in number: paths below the workspace, processes, branches. */
  readonly items: readonly string[];
}

export type ReasonCode =
  | "bad_path"
  | "protected"
  | "bad_folder"
  | "missing"
  | "not_a_directory"
  | "replaced"
  | "foreign_owner"
  | "mounted"
  | "marker"
  | "git_folder"
  | "not_registered"
  | "uninspectable"
  | "session"
  | "process"
  | "locked"
  | "worktrees"
  | "staged"
  | "unstaged"
  | "untracked"
  | "conflicts"
  | "hidden_changes"
  | "stash"
  | "unpushed"
  | "detached"
  | "in_progress"
  | "nested_repository"
  | "special_files";

const MAX_ITEMS = 20;

export function reason(code: ReasonCode, of: { kind: Reason["kind"]; message: string; items?: readonly string[] }): Reason {
  return { kind: of.kind, code, message: of.message, items: (of.items ?? []).slice(0, MAX_ITEMS) };
}

export function unsafe(code: ReasonCode, message: string): Reason {
  return reason(code, { kind: "unsafe", message });
}

/** The one error of every refusal, with every reason in its details. */
export function refused(path: string, reasons: readonly Reason[]): TmpmError {
  const work = reasons.every(({ kind }) => kind === "work");
  return new TmpmError(
    "WORKSPACE_REFUSED",
    `the workspace ${JSON.stringify(path)} is kept: ${reasons.map(({ message }) => message).join("; ")}`,
    {
      hint: work
        ? "Commit and push what you want to keep, or move everything to the trash with `tmpm rm --discard`, from which `tmpm undo` restores it."
        : "Nothing was changed. `tmpm rm --keep-workspace` removes the session and keeps its directory.",
      details: { path, reasons },
    },
  );
}
