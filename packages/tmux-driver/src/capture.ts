import type { PaneIdentity } from "@tmpm/core";
import type { Screen } from "./driver.js";
import { paneInfos, rowOf } from "./find.js";
import { foreignServer, paneGone } from "./guard.js";
import { requireHistory } from "./history.js";
import { look } from "./look.js";
import { PANE_FORMAT } from "./pane-row.js";
import { isGeneration, type ServerContext } from "./server-context.js";

const CURSOR = "tmpm-cursor\t#{cursor_x}\t#{cursor_y}\t#{cursor_flag}\t#{history_size}";

/** Screen, cursor, title and facts in one step of the server. A title holds no line break (tmux takes none), and everything after it is the screen. */
export async function captureScreen(
  context: ServerContext,
  { identity, history }: { readonly identity: PaneIdentity; readonly history: number },
): Promise<Screen> {
  requireHistory(history);
  if (identity.socket !== context.socket) throw foreignServer(identity);
  const target = ["-t", identity.pane_id] as const;
  const seen = await look(context, [
    ["display-message", "-p", ...target, PANE_FORMAT],
    ["display-message", "-p", ...target, CURSOR],
    ["display-message", "-p", ...target, "#{pane_title}"],
    ["capture-pane", "-p", ...target, "-S", history === 0 ? "0" : `-${history}`],
  ]);
  if ((seen.kind === "seen" || seen.kind === "refused") && !isGeneration(seen.rows.server, identity)) throw foreignServer(identity);
  const answer = await rowOf(context, { seen, identity });
  if (answer.kind === "unknown") throw answer.error;
  if (answer.kind === "absent" || seen.kind !== "seen") throw paneGone(identity);
  const [pane] = await paneInfos(context, { ...answer.value.rows, panes: [answer.value.row] });
  if (pane === undefined) throw paneGone(identity);
  return { ...readScreen(seen.output), pane };
}

function readScreen(output: string): Omit<Screen, "pane"> {
  const lines = output.split("\n");
  const at = lines.findIndex((line) => line.startsWith("tmpm-cursor\t"));
  const [, column = "", row = "", visible = "", historySize = ""] = (lines[at] ?? "").split("\t");
  return {
    lines: lines.slice(at + 2, -1).map((line) => expandTabs(line).trimEnd()),
    cursor: { column: Number(column), row: Number(row), visible: visible === "1" },
    historySize: Number(historySize),
    title: lines[at + 1] ?? "",
  };
}

/** From 3.6 a capture keeps tabs. */
function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  return line.split("\t").reduce((left, right) => left + " ".repeat(8 - (left.length % 8)) + right);
}
