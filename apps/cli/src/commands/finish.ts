import type { FinishAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command, type Option } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { renderFinish } from "../render/finish.js";
import { workspaceEndNotes } from "../render/workspace-end.js";
import { SESSION } from "./shared-arguments.js";

const HOW = ["merge", "squash", "rebase", "pr", "keep"] as const;

/** A commit hook may run a whole test suite. */
export const FINISH_MS = 1_800_000;

export const finishOptions = {
  how: {
    takes: "text",
    label: "HOW",
    summary: "merge, squash, rebase, pr (push and open a pull request), or keep (merge nothing; the directory stays, unmanaged)",
    completes: { kind: "words", words: HOW },
  },
  into: { takes: "text", label: "BRANCH", summary: "Branch to merge into (default: the one the work started from)" },
  dryRun: { takes: "flag", summary: "Print what would be done, with conflicts and reasons for a refusal" },
  commit: { takes: "text", label: "MESSAGE", summary: "First commit everything uncommitted in the workspace, with this message" },
  message: { takes: "text", label: "TEXT", summary: "Message of the merge or squash commit; with pr, title and description" },
  draft: { takes: "flag", summary: "Open the pull request as a draft" },
} as const satisfies Readonly<Record<string, Option>>;

/** What each way to finish takes. */
export const finishModes = {
  /** Without a way, a dry run previews a merge. */
  of: ({ how, dryRun }: { readonly how: string | undefined; readonly dryRun: boolean }) => (dryRun ? (how ?? "merge") : (how ?? null)),
  takenBy: {
    into: ["merge", "squash", "rebase", "pr"],
    commit: ["merge", "squash", "rebase", "pr"],
    message: ["merge", "squash", "pr"],
    draft: ["pr"],
  },
};

export const finish = command({
  name: "finish",
  group: "Start and end sessions",
  summary: "Merge a session's work into a branch and end the session, or open a pull request",
  more: `The result is computed outside of every checkout. The branch is updated only if it has not moved meanwhile, and a work tree that has it checked out only if it is clean. The workspace goes to the trash once the branch contains the work. \`tmpm undo\` reverts all of this. Uncommitted changes are committed only with --commit.

--how pr pushes the session's branch, never by force, and opens a pull request with \`gh\`, GitHub's command line; the session continues. --dry-run shows what would be pushed, and sends no request.

  tmpm finish fix-login --dry-run
  tmpm finish fix-login --how squash
  tmpm finish fix-login --how merge --into develop --commit "Fix the login"
  tmpm finish fix-login --how pr --draft
  tmpm finish fix-login --how keep`,
  args: { session: SESSION },
  options: finishOptions,
  modes: [finishModes],
  async run({ session, how, into, dryRun, commit, message, draft }, context): Promise<FinishAnswer> {
    const asked = { session, how: finishHow(how, dryRun), into, dry_run: dryRun || undefined, commit, message, draft: draft || undefined };
    return context.client().finish(asked, { timeoutMs: FINISH_MS });
  },
  render: renderFinish,
  notes: ({ name, workspace_end, notes }) => [
    ...(workspace_end === null ? [] : workspaceEndNotes(name, workspace_end)),
    ...notes.map((note) => visibleText(note)),
  ],
  exit: (answer) => finishExit(answer),
});

/** A preview of a refused finish is not a success. */
export function finishExit({ dry_run, plan, pull_request }: FinishAnswer): 0 | 4 {
  return dry_run && (plan ?? pull_request)?.blocks.length ? 4 : 0;
}

/** Without one, a dry run previews a merge. */
export function finishHow(how: string | undefined, dryRun: boolean): (typeof HOW)[number] {
  const chosen = HOW.find((each) => each === (how ?? (dryRun ? "merge" : undefined)));
  if (chosen !== undefined) return chosen;
  throw usageError(
    how === undefined ? "--how is missing" : `${JSON.stringify(how)} is not a way to finish`,
    `Give --how ${HOW.join("|")}.`,
  );
}
