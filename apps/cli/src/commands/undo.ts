import type { UndoAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { renderLine } from "../render/line.js";

export const undo = command({
  name: "undo",
  group: "Start and end sessions",
  summary: "Restore a removed session and its workspace",
  more: `Without SESSION, restores the one removed last. It is stopped; \`tmpm resume\` starts its agent. After \`tmpm finish\` the target branch is restored too, unless it has moved since.

  tmpm undo
  tmpm undo fix-login`,
  args: { session: { takes: "optional", label: "SESSION", summary: "Name, id, or prefix of a removed session" } },
  options: { keepTarget: { takes: "flag", summary: "Do not restore the branch that `tmpm finish` moved" } },
  async run({ session, keepTarget }, context): Promise<UndoAnswer> {
    return context.client().undo({ session, keep_target: keepTarget || undefined }, { timeoutMs: 180_000 });
  },
  render: (answer: UndoAnswer) => renderLine(answer),
  notes: ({ notes }) => notes.map((note) => visibleText(note)),
});
