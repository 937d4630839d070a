import { isatty } from "node:tty";
import type { DiffAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { renderPatches, renderStat } from "../render/diff.js";
import { PAGE_MS, writePatch } from "../terminal/write-patch.js";
import { SESSION } from "./shared-arguments.js";

interface Shown {
  /** The last page of a patch. */
  readonly answer: DiffAnswer;
  readonly form: "stat" | "text" | "patch";
  /** What was asked for, to ask for the rest of it. */
  readonly asked: Asked;
  /** Why the written patch lacks something; empty in other forms. */
  readonly missing: readonly string[];
}

interface Asked {
  readonly paths: readonly string[];
  readonly base: string | undefined;
  readonly limit: number | undefined;
}

export const diff = command({
  name: "diff",
  group: "Observe",
  summary: "Show what a session changed since it started",
  more: `Compares the session's work tree (committed, uncommitted and untracked files; not those git ignores) with its fork point: the commit it started from. PATH is relative to the top of the work tree. In a pipe or a file, the output is a patch of all changes that \`git apply\` accepts.

  tmpm diff demo
  tmpm diff demo --stat
  tmpm diff demo src/login.ts
  tmpm diff demo --base origin/main
  tmpm diff demo --turn last
  tmpm diff demo > demo.patch`,
  args: {
    session: SESSION,
    paths: { takes: "any", label: "PATH", summary: "Only these files and folders" },
  },
  options: {
    stat: { takes: "flag", summary: "List the files with their line counts" },
    base: { takes: "text", label: "REF", summary: "Compare with this branch, tag or commit instead" },
    turn: { takes: "text", label: "TURN", summary: "Only what changed during this turn: its id, or last", completes: { kind: "turns" } },
    limit: { takes: "count", label: "N", summary: "Maximum number of files (default: 300, fewer when they are large)" },
    cursor: { takes: "text", label: "C", summary: "Continue after an earlier, incomplete response" },
  },
  async run({ session, paths, stat, base, turn, limit, cursor }, context): Promise<Shown> {
    if (base !== undefined && turn !== undefined) throw usageError("--base and --turn are mutually exclusive", "Give one of them.");
    const request = { session, path: [...paths], base, turn, limit, cursor };
    const asked = { paths, base, limit };
    if (stat || context.json || isatty(1)) {
      const answer = await context.client().diff({ ...request, stat: stat || undefined }, { timeoutMs: PAGE_MS });
      return { answer, form: stat ? "stat" : "text", asked, missing: [] };
    }
    return { ...(await writePatch(context, request)), form: "patch", asked };
  },
  render: ({ answer, form }, view) => (form === "stat" ? renderStat(answer, view) : form === "text" ? renderPatches(answer, view) : ""),
  verbatim: ({ form }) => form !== "stat",
  json: ({ answer }) => JSON.stringify(answer),
  exit: ({ answer, form, missing }) => (form === "patch" && missing.length + answer.notes.length > 0 ? 1 : 0),
  notes: (shown) => [
    ...emptyNote(shown.answer),
    ...shown.answer.notes.map((note) => visibleText(note)),
    ...moreNote(shown),
    ...shown.missing.map((why) => `the patch is incomplete: ${why}`),
  ],
});

function emptyNote({ total, base, turn }: DiffAnswer): readonly string[] {
  if (total.files > 0) return [];
  if (turn !== null) return ["nothing changed during that turn"];
  return [`nothing changed since ${base.commit === null ? "the beginning" : base.commit.slice(0, 12)}`];
}

function moreNote({ answer: { session, turn, next, total }, form, asked: { paths, base, limit } }: Shown): readonly string[] {
  if (next === null) return [];
  const words = [
    ...["tmpm", "diff", session],
    ...(form === "stat" ? ["--stat"] : []),
    ...(base === undefined ? [] : ["--base", base]),
    ...(turn === null ? [] : ["--turn", turn.slice(0, 8)]),
    ...(limit === undefined ? [] : ["--limit", String(limit)]),
    ...["--cursor", next],
    ...(paths.some((path) => path.startsWith("-")) ? ["--"] : []),
    ...paths,
  ];
  return [`not all of ${total.files} files are shown; \`${words.map(typed).join(" ")}\` continues`];
}

/** A word as it is typed in a shell. */
function typed(word: string): string {
  return visibleText(/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
}
