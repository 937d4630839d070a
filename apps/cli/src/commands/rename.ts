import type { RenameAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { SESSION } from "./shared-arguments.js";

export const rename = command({
  name: "rename",
  group: "Start and end sessions",
  summary: "Rename a session",
  more: `Its tmux session is renamed too if tmpm created it.

  tmpm rename demo fix-login`,
  args: { session: SESSION, name: { takes: "one", label: "NAME", summary: "The new name" } },
  options: {},
  async run({ session, name }, context): Promise<RenameAnswer> {
    return context.client().rename({ session, name });
  },
  render: ({ name }) => visibleText(name),
  notes: ({ tmux_name, left_alone }) => (left_alone === null ? [] : [visibleText(`its tmux session is still ${tmux_name}: ${left_alone}`)]),
});
