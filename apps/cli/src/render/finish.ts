import type { FinishAnswer } from "@tmpm/api";
import { oneLine } from "./one-line.js";

type Plan = NonNullable<FinishAnswer["plan"]>;

const RESULT: Readonly<Record<Plan["result"], string>> = {
  fast_forward: "fast-forward",
  merge_commit: "merge commit",
  squash_commit: "one squashed commit",
  rebased: "rebased commits",
  already: "nothing to merge: it already contains the work",
};

const SHOWN = 10;

/** The result or preview of a finish, one item per line. */
export function renderFinish({ name, dry_run, plan, pull_request, result }: FinishAnswer): string {
  if (pull_request !== null) return renderPullRequest(name, pull_request);
  if (plan === null) return `${oneLine(name)}: ${dry_run ? "would be ended" : "ended"}, and its directory stays, unmanaged`;
  const to = result === null ? "" : ` => ${result.to.slice(0, 12)}`;
  const from = plan.source.branch ?? plan.source.commit.slice(0, 12);
  return [
    `${oneLine(name)}: ${oneLine(from)} into ${oneLine(plan.into)} (${plan.old.slice(0, 12)}${to}), ${RESULT[plan.result]}`,
    ...commitLines(plan),
    `  ${plan.total.files} ${plan.total.files === 1 ? "file" : "files"}, +${plan.total.added} -${plan.total.removed}`,
    ...(plan.checkout === null || plan.result === "already"
      ? []
      : [`  ${dry_run ? "updates" : "updated"} the checkout in ${oneLine(plan.checkout)}`]),
    ...(dry_run ? uncommittedLines(plan) : []),
    ...plan.conflicts.map(({ path, kind, message }) => `  conflict (${oneLine(kind)}) in ${oneLine(path)}: ${oneLine(message)}`),
    ...(dry_run ? endLines(plan) : []),
  ].join("\n");
}

type PullRequest = NonNullable<FinishAnswer["pull_request"]>;

function renderPullRequest(name: string, proposed: PullRequest): string {
  const { branch, base, remote, repository, title, body, draft, total, url, number, existed } = proposed;
  const what = number === null ? "would be proposed" : existed ? `updated pull request ${number}` : `opened pull request ${number}`;
  return [
    ...(url === null ? [] : [oneLine(url)]),
    `${oneLine(name)}: ${oneLine(branch)} into ${oneLine(base)} of ${oneLine(repository ?? "an unknown repository")}, ${what}${draft ? " as a draft" : ""}`,
    ...commitLines(proposed),
    `  ${total.files} ${total.files === 1 ? "file" : "files"}, +${total.added} -${total.removed}`,
    ...(existed
      ? []
      : [`  title: ${oneLine(title)}`, ...body.split("\n").flatMap((line) => (line === "" ? [] : [`  | ${oneLine(line)}`]))]),
    ...(number === null ? uncommittedLines(proposed) : []),
    ...(number !== null
      ? []
      : proposed.blocks.length > 0
        ? blockLines(proposed)
        : [`  pushes ${proposed.commit.slice(0, 12)} to ${oneLine(remote)}; the session continues`]),
  ].join("\n");
}

function commitLines({ commits, commit_count }: Pick<Plan, "commits" | "commit_count">): readonly string[] {
  const shown = commits.slice(0, SHOWN).map(({ id, subject }) => `  ${id.slice(0, 12)} ${oneLine(subject)}`);
  return commit_count > shown.length ? [...shown, `  and ${commit_count - shown.length} more commits`] : shown;
}

function uncommittedLines({ uncommitted }: Pick<Plan, "uncommitted">): readonly string[] {
  return uncommitted.map((path) => `  uncommitted: ${oneLine(path)}`);
}

function endLines({ blocks }: Plan): readonly string[] {
  if (blocks.length > 0) return blockLines({ blocks });
  return ["  then ends the session and moves its workspace to the trash"];
}

function blockLines({ blocks }: Pick<Plan, "blocks">): readonly string[] {
  return blocks.flatMap(({ message, hint }) => [`refused: ${oneLine(message)}`, `  ${oneLine(hint)}`]);
}
