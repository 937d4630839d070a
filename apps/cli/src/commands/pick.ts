import type { PickAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { renderFinish } from "../render/finish.js";
import { workspaceEndNotes } from "../render/workspace-end.js";
import { FINISH_MS, finishExit, finishHow, finishModes, finishOptions } from "./finish.js";
import { SESSION } from "./shared-arguments.js";

const REST = ["remove", "stop", "keep"] as const;

export const pick = command({
  name: "pick",
  group: "Start and end sessions",
  summary: "Finish one session of a group and remove the others",
  more: `Does what \`tmpm finish\` does for SESSION, and then moves the other sessions of its group to the trash. A refusal changes nothing. \`tmpm undo NAME\` restores each of them. A session whose work exists nowhere else stays, unless you give --discard.

  tmpm pick login-2 --dry-run
  tmpm pick login-2 --how squash
  tmpm pick login-2 --how squash --discard
  tmpm pick login-2 --how keep --rest stop`,
  args: { session: SESSION },
  options: {
    ...finishOptions,
    rest: {
      takes: "text",
      label: "WHAT",
      summary: "What to do with the others: remove (default), stop or keep",
      completes: { kind: "words", words: REST },
    },
    discard: { takes: "flag", summary: "Move the others to the trash even if their work exists nowhere else" },
  },
  modes: [finishModes, { of: ({ rest = "remove" }) => `--rest ${rest}`, takenBy: { discard: ["--rest remove"] } }],
  async run({ session, how, rest, discard, into, dryRun, commit, message, draft }, context): Promise<PickAnswer> {
    const asked = { session, how: finishHow(how, dryRun), into, dry_run: dryRun || undefined, commit, message, draft: draft || undefined };
    const chosen = rest === undefined ? undefined : REST.find((each) => each === rest);
    if (rest !== undefined && chosen === undefined)
      throw usageError(`${JSON.stringify(rest)} is not one of ${REST.join(", ")}`, "Give --rest remove, stop or keep.");
    return context.client().pick({ ...asked, rest: chosen, discard: discard || undefined }, { timeoutMs: FINISH_MS });
  },
  render: (answer: PickAnswer) => renderFinish(answer),
  notes: ({ name, workspace_end, notes, rest, dry_run }) => [
    ...(workspace_end === null ? [] : workspaceEndNotes(name, workspace_end)),
    ...notes.map((note) => visibleText(note)),
    ...(dry_run ? [] : rest.map((each) => visibleText(restNote(each)))),
  ],
  exit: (answer) => finishExit(answer),
});

function restNote({ name, outcome, why }: PickAnswer["rest"][number]): string {
  if (outcome === "removed") return `${name} was removed; \`tmpm undo ${name}\` restores it`;
  return `${name} ${outcome === "stopped" ? "is stopped" : "stays"}${why === null ? "" : `: ${why}`}`;
}
