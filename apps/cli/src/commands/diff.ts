import type { DiffAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { renderPatches, renderStat } from "../render/diff.js";
import { SESSION } from "./shared-arguments.js";

interface Shown {
  readonly answer: DiffAnswer;
  readonly stat: boolean;
}

export const diff = command({
  name: "diff",
  summary: "Show what a session changed since it started",
  more: `Compares the session's work tree (committed, uncommitted and untracked files; not those git ignores) with its fork point: the commit it started from. PATH counts from the top of the work tree.

  tmpm diff demo
  tmpm diff demo --stat
  tmpm diff demo src/login.ts
  tmpm diff demo --base origin/main
  tmpm diff demo --turn last`,
  args: {
    session: SESSION,
    paths: { takes: "any", label: "PATH", summary: "Only these files and folders" },
  },
  options: {
    stat: { takes: "flag", summary: "List the files with their line counts" },
    base: { takes: "text", label: "REF", summary: "Compare with this branch, tag or commit instead" },
    turn: { takes: "text", label: "TURN", summary: "Only what changed during this turn: its id, or last" },
    limit: { takes: "count", label: "N", summary: "Maximum number of files (default: 300, fewer when they are large)" },
    cursor: { takes: "text", label: "C", summary: "Continue after an earlier, incomplete response" },
  },
  async run({ session, paths, stat, base, turn, limit, cursor }, context): Promise<Shown> {
    if (base !== undefined && turn !== undefined) throw usageError("--base and --turn are mutually exclusive", "Give one of them.");
    const asked = { session, path: [...paths], stat: stat || undefined, base, turn, limit, cursor };
    return { stat, answer: await context.client().diff(asked, { timeoutMs: 120_000 }) };
  },
  render: ({ answer, stat }, view) => (stat ? renderStat(answer, view) : renderPatches(answer, view)),
  verbatim: ({ stat }) => !stat,
  json: ({ answer }) => JSON.stringify(answer),
  notes: ({ answer }) => [...emptyNote(answer), ...answer.notes.map((note) => visibleText(note)), ...moreNote(answer)],
});

function emptyNote({ total, base, turn }: DiffAnswer): readonly string[] {
  if (total.files > 0) return [];
  if (turn !== null) return ["nothing changed during that turn"];
  return [`nothing changed since ${base.commit === null ? "the beginning" : base.commit.slice(0, 12)}`];
}

function moreNote({ session, turn, next, total }: DiffAnswer): readonly string[] {
  return next === null
    ? []
    : [
        `not all of ${total.files} files are shown; \`tmpm diff ${visibleText(session)}${turn === null ? "" : ` --turn ${turn.slice(0, 8)}`} --cursor ${next}\` continues`,
      ];
}
