import { observationOf, readScreen } from "@tmpm/agents";
import type { Fixture } from "../../fixture.js";

/** The unsent text in the agent's input, according to its current screen; empty if it shows no input. */
export async function draftOf(
  { api }: Pick<Fixture, "api">,
  { agent, session }: { readonly agent: string; readonly session: string },
): Promise<string> {
  const { lines, columns, rows, cursor, title, live } = await api.capture({ session });
  const { draft } = readScreen(
    agent,
    observationOf({
      version: "",
      cols: columns,
      rows,
      screen: lines.join("\n"),
      pane_title: title,
      pane_current_command: agent,
      alternate_on: false,
      cursor: { x: cursor.column, y: cursor.row, visible: cursor.visible },
      pane_dead: !live,
    }),
  );
  return draft ?? "";
}
