import type { DiffAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import type { View } from "../context.js";
import type { Cell } from "./cell.js";
import { oneLine } from "./one-line.js";
import { paint, type Tone } from "./paint.js";
import { table } from "./table.js";
import { NO_TERMINAL } from "./terminal-view.js";

type File = DiffAnswer["files"][number];

/** The patches, one after the other. On a terminal they are coloured and without control characters; otherwise as printed by git. */
export function renderPatches({ files }: DiffAnswer, { terminal = NO_TERMINAL }: View): string {
  const text = files.map((file) => file.patch ?? (file.too_large ? `${oneLine(file.path)}: too large to show\n` : "")).join("");
  const lines = text.replace(/\n$/, "").split("\n");
  if (terminal.columns === null && !terminal.colour) return lines.join("\n");
  return lines.map((line) => paint([{ text: visibleText(line), tone: toneOfPatch(line), bold: isHead(line) }], terminal)).join("\n");
}

const HEADS = ["diff --git ", "--- ", "+++ ", "index "];

function isHead(line: string): boolean {
  return HEADS.some((head) => line.startsWith(head));
}

export function toneOfPatch(line: string): Tone {
  if (isHead(line)) return "plain";
  if (line.startsWith("@@")) return "cyan";
  return line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : "plain";
}

/** One line for each file, and one for the total. */
export function renderStat({ files, total }: DiffAnswer, view: View): string {
  if (files.length === 0) return "";
  const rows = files.map((file): readonly Cell[] => [
    { text: nameOf(file), keeps: "end" },
    statusOf(file),
    file.added === null ? { text: "binary", tone: "faint" } : { text: `+${file.added}`, tone: "green" },
    file.removed === null ? "" : { text: `-${file.removed}`, tone: "red" },
    marks(file),
  ]);
  const sum = `${total.files} ${total.files === 1 ? "file" : "files"}, +${total.added} -${total.removed}`;
  return `${table({ rows, spare: [4] }, view)}\n${sum}`;
}

const STATUS: Readonly<Record<File["status"], string>> = {
  added: "added",
  deleted: "deleted",
  modified: "modified",
  renamed: "renamed",
  type_changed: "type changed",
};

export function statusOf({ status }: File): string {
  return STATUS[status];
}

function nameOf({ path, from }: File): string {
  return from === null ? path : `${from} => ${path}`;
}

function marks({ submodule, old_mode, new_mode }: File): string {
  const mode = old_mode !== null && new_mode !== null && old_mode !== new_mode ? [`mode ${old_mode} => ${new_mode}`] : [];
  return [...(submodule ? ["submodule"] : []), ...mode].join(", ");
}
