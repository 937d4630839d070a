import type { FinishAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command, type Option } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { renderFinish } from "../render/finish.js";
import { workspaceEndNotes } from "../render/workspace-end.js";
import { SESSION } from "./shared-arguments.js";

const HOW = ["merge", "squash", "rebase", "keep"] as const;

/** A commit hook may run a whole test suite. */
export const FINISH_MS = 1_800_000;

export const finishOptions = {
  how: { takes: "text", label: "HOW", summary: "merge, squash, rebase, or keep (merge nothing, leave the directory to you)" },
  into: { takes: "text", label: "BRANCH", summary: "Local branch to merge into (default: the one the work started from)" },
  dryRun: { takes: "flag", summary: "Print what would be done, with conflicts and reasons for a refusal" },
  commit: { takes: "text", label: "MESSAGE", summary: "First commit everything uncommitted in the workspace, with this message" },
  message: { takes: "text", label: "TEXT", summary: "Message of the merge or squash commit" },
} as const satisfies Readonly<Record<string, Option>>;

export const finish = command({
  name: "finish",
  summary: "Merge a session's work into a branch and end the session",
  more: `Computed outside of every checkout. The branch moves only from where it was seen, and a work tree that has it checked out moves along only when it is clean. The workspace goes to the trash once the branch holds the work. \`tmpm undo\` takes all of it back. Nothing that is uncommitted is committed without --commit.

  tmpm finish fix-login --dry-run
  tmpm finish fix-login --how squash
  tmpm finish fix-login --how merge --into develop --commit "Fix the login"
  tmpm finish fix-login --how keep`,
  args: { session: SESSION },
  options: finishOptions,
  async run({ session, how, into, dryRun, commit, message }, context): Promise<FinishAnswer> {
    const asked = { session, how: finishHow(how, dryRun), into, dry_run: dryRun || undefined, commit, message };
    return context.client().finish(asked, { timeoutMs: FINISH_MS });
  },
  render: renderFinish,
  notes: ({ name, workspace_end, notes }) => [
    ...(workspace_end === null ? [] : workspaceEndNotes(name, workspace_end)),
    ...notes.map((note) => visibleText(note)),
  ],
  exit: ({ dry_run, plan }) => (dry_run && (plan?.blocks.length ?? 0) > 0 ? 4 : 0),
});

/** Without one, a dry run previews a merge. */
export function finishHow(how: string | undefined, dryRun: boolean): (typeof HOW)[number] {
  const chosen = HOW.find((each) => each === (how ?? (dryRun ? "merge" : undefined)));
  if (chosen !== undefined) return chosen;
  throw usageError(
    how === undefined ? "--how is missing" : `${JSON.stringify(how)} is not a way to finish`,
    `Give --how ${HOW.join("|")}.`,
  );
}
