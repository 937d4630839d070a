import type { UndoAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { renderLine } from "../render/line.js";

export const undo = command({
  name: "undo",
  summary: "Bring a removed session back, with its workspace",
  more: `Without a SESSION the one that was removed last comes back. It is stopped then: \`tmpm resume\` starts its agent again.

  tmpm undo
  tmpm undo fix-login`,
  args: { session: { takes: "optional", label: "SESSION", summary: "A removed session's name, id, or a prefix of either" } },
  options: {},
  async run({ session }, context): Promise<UndoAnswer> {
    return context.client().undo({ session }, { timeoutMs: 180_000 });
  },
  render: (answer: UndoAnswer) => renderLine(answer),
  notes: ({ notes }) => notes.map((note) => visibleText(note)),
});
