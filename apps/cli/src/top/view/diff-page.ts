import type { ChangedFile } from "@tmpm/api";
import { statusOf, toneOfPatch } from "../../render/diff.js";
import type { Line, Span } from "../../render/paint.js";
import type { Cells } from "../cells.js";
import { type Changes, type ChangesMode, type HunksMode, TAB } from "../diff-mode.js";
import { rowsOfDiff } from "../in-diff.js";
import type { Notice, TopState } from "../state.js";

const IN_CHANGES: Line = keys(["Enter", "hunks"], ["r", "reload"], ["Esc", "back"]);
const IN_HUNKS: Line = keys(["n", "next file"], ["p", "previous"], ["Left Right", "sideways"], ["r", "reload"], ["Esc", "back"]);

/** The changed files of a session, or the hunks of one: a head, rows, and the keys. Lines may be wider than the terminal. */
export function diffPage(
  state: TopState,
  { mode, cells }: { readonly mode: ChangesMode | HunksMode; readonly cells: Cells },
): readonly Line[] {
  const rows = rowsOfDiff(state);
  const [head, body, bottom] =
    mode.kind === "changes"
      ? [changesHead(mode), changesRows(mode, { rows, cells, columns: state.size.columns }), IN_CHANGES]
      : [hunksHead(mode), hunksRows(mode, { rows, cells }), IN_HUNKS];
  const shown = body.slice(0, rows);
  const filled = [...shown, ...Array.from({ length: rows - shown.length }, (): Line => [])];
  return [head, ...filled, state.notice === null ? bottom : noticeOf(state.notice)];
}

function noticeOf({ text, tone }: Notice): Line {
  return [{ text, tone }];
}

function changesHead({ session, loaded }: ChangesMode): Line {
  if (loaded.kind !== "shown") return [{ text: `${session.name}  changes`, bold: true }];
  const { total, base } = loaded.value;
  const since = base.commit === null ? "the beginning" : `${base.commit.slice(0, 12)}${base.ref === null ? "" : ` (${base.ref})`}`;
  return [
    { text: session.name, bold: true },
    { text: `  ${total.files} ${total.files === 1 ? "file" : "files"} since ${since}` },
    { text: `  +${total.added}`, tone: "green" },
    { text: ` -${total.removed}`, tone: "red" },
  ];
}

interface Room {
  readonly rows: number;
  readonly cells: Cells;
}

function changesRows({ session, loaded, at }: ChangesMode, { rows, cells, columns }: Room & { readonly columns: number }): readonly Line[] {
  if (loaded.kind === "loading") return [[{ text: "comparing its work tree with the commit it started from", tone: "faint" }]];
  if (loaded.kind === "failed") return [[{ text: loaded.text, tone: "red" }]];
  const changes = loaded.value;
  const notes = notesOf(changes, session.name);
  const room = Math.max(1, rows - notes.length);
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), changes.files.length - room));
  const files = changes.files
    .slice(first, first + room)
    .map((file, index) => fileRow(file, { selected: first + index === at, width: columns, cells }));
  return [...(files.length === 0 ? [[{ text: "nothing changed", tone: "faint" } as const]] : files), ...notes];
}

function notesOf({ files, total, notes, isCut }: Changes, name: string): readonly Line[] {
  const cut = isCut ? [`${files.length} of ${total.files} files; \`tmpm diff ${name} --stat\` lists all`] : [];
  return [...cut, ...notes.slice(0, 3), ...(notes.length > 3 ? [`${notes.length - 3} more could not be read`] : [])].map((text) => [
    { text, tone: "yellow" },
  ]);
}

interface RowView {
  readonly selected: boolean;
  readonly width: number;
  readonly cells: Cells;
}

const STATUS = 13;
const COUNT = 7;

function fileRow(file: ChangedFile, { selected, width, cells }: RowView): Line {
  const { path, from, added, removed } = file;
  const counts: readonly Span[] =
    added === null
      ? [{ text: ` ${"binary".padStart(2 * COUNT - 1)}`, tone: "faint" }]
      : [
          { text: ` ${`+${added}`.padStart(COUNT - 1)}`, tone: "green" },
          { text: ` ${`-${removed ?? 0}`.padStart(COUNT - 1)}`, tone: "red" },
        ];
  const name = cells.clean(from === null ? path : `${from} => ${path}`);
  return [
    { text: selected ? ">" : " ", bold: true },
    { text: cells.fit(statusOf(file), STATUS), tone: "faint" },
    ...counts,
    { text: "  " },
    { text: cells.fit(name, Math.max(8, width - STATUS - 2 * COUNT - 3)), bold: selected },
  ];
}

function hunksHead({ list, file }: HunksMode): Line {
  const { path, from } = file;
  return [
    { text: list.session.name, bold: true },
    { text: `  ${from === null ? path : `${from} => ${path}`}  ${statusOf(file)}` },
    ...(file.added === null ? [] : [{ text: `  +${file.added}`, tone: "green" } as const]),
    ...(file.removed === null ? [] : [{ text: ` -${file.removed}`, tone: "red" } as const]),
  ];
}

function hunksRows({ list, loaded, from, column }: HunksMode, { rows, cells }: Room): readonly Line[] {
  if (loaded.kind === "loading") return [[{ text: "loading its hunks", tone: "faint" }]];
  if (loaded.kind === "failed") return [[{ text: loaded.text, tone: "red" }]];
  const { lines, isCut } = loaded.value;
  const shown = lines.slice(from, from + rows).map((line): Line => {
    const whole = cells.clean(line.replaceAll("\t", TAB));
    return [{ text: whole.slice(cells.cut(whole, column).length), tone: toneOfPatch(line) }];
  });
  if (!isCut || shown.length === rows) return shown;
  return [...shown, [{ text: `truncated here; \`tmpm diff ${list.session.name}\` shows all of it`, tone: "yellow" }]];
}

function keys(...all: readonly (readonly [key: string, does: string])[]): Line {
  return all.flatMap(
    ([key, does], index): Line => [
      { text: `${index === 0 ? "" : "  "}${key}`, bold: true },
      { text: ` ${does}`, tone: "faint" },
    ],
  );
}
