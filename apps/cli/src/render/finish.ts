import type { FinishAnswer } from "@tmpm/api";
import { oneLine } from "./one-line.js";

type Plan = NonNullable<FinishAnswer["plan"]>;

const RESULT: Readonly<Record<Plan["result"], string>> = {
  fast_forward: "fast-forward",
  merge_commit: "merge commit",
  squash_commit: "one squashed commit",
  rebased: "rebased commits",
  already: "nothing to merge: it holds the work already",
};

const SHOWN = 10;

/** What a finish did or would do, one thing a line. */
export function renderFinish({ name, dry_run, plan, result }: FinishAnswer): string {
  if (plan === null) return `${oneLine(name)}: ${dry_run ? "would be ended" : "ended"}, and its directory stays`;
  const to = result === null ? "" : ` => ${result.to.slice(0, 12)}`;
  const from = plan.source.branch ?? plan.source.commit.slice(0, 12);
  return [
    `${oneLine(name)}: ${oneLine(from)} into ${oneLine(plan.into)} (${plan.old.slice(0, 12)}${to}), ${RESULT[plan.result]}`,
    ...commitLines(plan),
    `  ${plan.total.files} ${plan.total.files === 1 ? "file" : "files"}, +${plan.total.added} -${plan.total.removed}`,
    ...(plan.checkout === null || plan.result === "already"
      ? []
      : [`  ${dry_run ? "moves" : "moved"} the checkout in ${oneLine(plan.checkout)} along`]),
    ...(dry_run ? uncommittedLines(plan) : []),
    ...plan.conflicts.map(({ path, kind, message }) => `  conflict (${oneLine(kind)}) in ${oneLine(path)}: ${oneLine(message)}`),
    ...(dry_run ? endLines(plan) : []),
  ].join("\n");
}

function commitLines({ commits, commit_count }: Plan): readonly string[] {
  const shown = commits.slice(0, SHOWN).map(({ id, subject }) => `  ${id.slice(0, 12)} ${oneLine(subject)}`);
  return commit_count > shown.length ? [...shown, `  and ${commit_count - shown.length} more commits`] : shown;
}

function uncommittedLines({ uncommitted }: Plan): readonly string[] {
  return uncommitted.map((path) => `  uncommitted: ${oneLine(path)}`);
}

function endLines({ blocks }: Plan): readonly string[] {
  if (blocks.length > 0) return blocks.flatMap(({ message, hint }) => [`refused: ${oneLine(message)}`, `  ${oneLine(hint)}`]);
  return ["  then ends the session and moves its workspace to the trash"];
}
