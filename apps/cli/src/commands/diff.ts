import { isatty } from "node:tty";
import type { DiffAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { renderPatches, renderStat } from "../render/diff.js";
import { oneLine } from "../render/one-line.js";
import { SESSION } from "./shared-arguments.js";

interface Shown {
  readonly answer: DiffAnswer;
  readonly stat: boolean;
  /** What was asked for, to ask for the rest of it. */
  readonly asked: Asked;
  /** Why what is printed cannot be applied as a patch; empty on a terminal, where it is only read. */
  readonly unfit: readonly string[];
}

interface Asked {
  readonly paths: readonly string[];
  readonly base: string | undefined;
  readonly limit: number | undefined;
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
    const answer = await context.client().diff(asked, { timeoutMs: 120_000 });
    const isPatch = !stat && !context.json && !isatty(1);
    return {
      stat,
      asked: { paths, base, limit },
      answer,
      unfit: isPatch ? unfitFor(answer, limit !== undefined || cursor !== undefined) : [],
    };
  },
  render: ({ answer, stat }, view) => (stat ? renderStat(answer, view) : renderPatches(answer, view)),
  verbatim: ({ stat }) => !stat,
  json: ({ answer }) => JSON.stringify(answer),
  exit: ({ unfit }) => (unfit.length === 0 ? 0 : 1),
  notes: (shown) => [
    ...emptyNote(shown.answer),
    ...shown.answer.notes.map((note) => visibleText(note)),
    ...moreNote(shown),
    ...shown.unfit,
  ],
});

/** A patch in a file or a pipe is exact, or the reasons are reported. */
function unfitFor({ files, next }: DiffAnswer, isPaged: boolean): readonly string[] {
  const named = (paths: readonly string[], why: string) =>
    paths.length === 0 ? [] : [`the patch is incomplete: ${why}: ${paths.map(oneLine).join(", ")}`];
  const of = (is: (file: DiffAnswer["files"][number]) => boolean) => files.filter(is).map(({ path }) => path);
  return [
    ...named(
      of(({ too_large }) => too_large),
      "too large",
    ),
    ...named(
      of(({ binary, too_large }) => binary && !too_large),
      "binary",
    ),
    ...named(
      of(({ patch, path_bytes }) => patch?.includes("\ufffd") === true || path_bytes !== null),
      "not UTF-8",
    ),
    ...(next === null || isPaged ? [] : ["the patch is incomplete: more files follow"]),
  ];
}

function emptyNote({ total, base, turn }: DiffAnswer): readonly string[] {
  if (total.files > 0) return [];
  if (turn !== null) return ["nothing changed during that turn"];
  return [`nothing changed since ${base.commit === null ? "the beginning" : base.commit.slice(0, 12)}`];
}

function moreNote({ answer: { session, turn, next, total }, stat, asked: { paths, base, limit } }: Shown): readonly string[] {
  if (next === null) return [];
  const words = [
    ...["tmpm", "diff", session],
    ...(stat ? ["--stat"] : []),
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
