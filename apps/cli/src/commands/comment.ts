import type { CommentsAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { oneLine } from "../render/one-line.js";
import { table } from "../render/table.js";
import { SESSION } from "./shared-arguments.js";

interface Listed {
  readonly answer: CommentsAnswer;
  readonly dropped: boolean;
}

export const comment = command({
  name: "comment",
  group: "Observe",
  summary: "Comment on lines a session changed, for `tmpm send --comments`",
  more: `Without FILE:LINE, lists the comments and their current lines: a comment moves along with its line. FILE is relative to the top of the work tree.

  tmpm comment demo src/login.ts:12 Use a constant here
  tmpm comment demo
  tmpm send demo --comments
  tmpm comment demo --drop all`,
  args: {
    session: SESSION,
    words: { takes: "any", label: "FILE:LINE TEXT", summary: "The line, and the text of the comment" },
  },
  options: {
    old: { takes: "flag", summary: "The line number refers to the file before the session's changes" },
    drop: { takes: "text", label: "ID", summary: "Remove a comment by id, those already sent (sent), or all" },
  },
  modes: [
    {
      of: ({ words, drop }) => (drop !== undefined ? "--drop" : words.length > 0 ? "a new comment" : "the list"),
      takenBy: { old: ["a new comment"] },
    },
  ],
  async run({ session, words, old, drop }, context): Promise<Listed> {
    const client = context.client();
    if (drop !== undefined) {
      if (words.length > 0) throw usageError("--drop accepts neither FILE:LINE nor TEXT", "Give one of them.");
      return { dropped: true, answer: await client.dropComment({ session, comment: drop }) };
    }
    if (words.length === 0) return { dropped: false, answer: await client.comments({ session }) };
    const { path, line } = placeOf(words[0] ?? "");
    const text = words.slice(1).join(" ").trim();
    if (text === "") throw usageError("the comment is empty", "Add it after FILE:LINE.");
    return { dropped: false, answer: await client.comment({ session, path, line, comment: text, side: old ? "old" : undefined }) };
  },
  render: ({ answer: { comments } }, view) =>
    comments.length === 0 ? "" : table({ head: ["ID", "PLACE", "STATE", "COMMENT"], rows: comments.map(row), spare: [0], room: 20 }, view),
  json: ({ answer }) => JSON.stringify(answer),
  notes: ({ answer: { session, comments }, dropped }) => {
    if (dropped) return [`${comments.length} ${comments.length === 1 ? "comment" : "comments"} removed`];
    return comments.length === 0 ? [`no comments; \`tmpm comment ${oneLine(session)} FILE:LINE TEXT\` adds one`] : [];
  },
});

function placeOf(text: string): { path: string; line: number } {
  const match = /^(?:\.\/)?(.+):(\d{1,9})$/s.exec(text);
  const line = Number(match?.[2]);
  if (match?.[1] === undefined || line < 1) throw usageError(`${JSON.stringify(text)} is not FILE:LINE`, "Write it like src/login.ts:12.");
  return { path: match[1], line };
}

function row({ id, anchor, line, comment: text, sent }: CommentsAnswer["comments"][number]): readonly string[] {
  const place = `${anchor.path}:${line ?? anchor.line}${anchor.side === "old" ? " (old)" : ""}`;
  return [id, place, sent !== null ? "sent" : line === null ? "line removed" : "open", oneLine(text)];
}
