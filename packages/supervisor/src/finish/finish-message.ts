import type { SessionRecord } from "@tmpm/core";
import type { FinishPlan } from "@tmpm/workspace";

const MOST_TITLE = 72;
/** GitHub's limit is 65,536 characters. */
const MOST_BODY = 60_000;
const CUT = "\n\n[The rest was cut by tmpm.]";

/** The default message of the merge commit. A squash names the task and its commits. */
export function finishMessage(record: Pick<SessionRecord, "task" | "name">, plan: FinishPlan): string {
  const { how, source, into, commits } = plan;
  if (how !== "squash")
    return `Merge ${source.branch === null ? `commit ${source.commit.slice(0, 12)}` : `branch '${source.branch}'`} into ${into}`;
  const [only] = commits;
  if (only !== undefined && commits.length === 1) return only.subject;
  const task = record.task.trim().split("\n")[0] ?? "";
  const title = task === "" ? `Squash session ${record.name}` : clipped(task);
  return [title, "", ...commits.toReversed().map(({ subject }) => `* ${subject}`)].join("\n");
}

/** The first line is the title. By default the task and the agent's last message describe it. */
export function pullRequestText(
  { task, name }: Pick<SessionRecord, "task" | "name">,
  of: { readonly commits: FinishPlan["commits"]; readonly message: string | null; readonly lastWords: string | null },
): { readonly title: string; readonly body: string } {
  const { commits, message, lastWords } = of;
  if (message !== null) {
    const [title = "", ...rest] = message.trim().split("\n");
    return { title: title.trim(), body: clippedBody(rest.join("\n").trim()) };
  }
  const [first = "", ...more] = task.trim().split("\n");
  const [only] = commits;
  const subject = commits.length === 1 ? only?.subject : undefined;
  const title = clipped(subject ?? (first === "" ? `Work of session ${name}` : first));
  const said = [first === title ? more.join("\n") : task, lastWords ?? ""].map((text) => text.trim());
  return { title, body: clippedBody(said.filter((text) => text !== "").join("\n\n")) };
}

function clippedBody(text: string): string {
  if (text.length <= MOST_BODY) return text;
  // Not in the middle of a character.
  const kept = text.slice(0, MOST_BODY - CUT.length).replace(/[\ud800-\udbff]$/, "");
  return `${kept}${CUT}`;
}

function clipped(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MOST_TITLE ? text : `${characters.slice(0, MOST_TITLE - 1).join("")}…`;
}
