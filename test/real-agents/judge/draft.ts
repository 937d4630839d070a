import { observationOf, readScreen } from "@tmpm/agents";
import type { Fixture } from "../../fixture.js";

/** What waits in the agent's input, as its screen shows now; empty where it shows no input. */
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
