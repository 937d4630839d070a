import type { ScreenAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";
import { answerOf, objectOf, TEXT } from "../printed.js";
import { plainLines } from "../render/plain-lines.js";
import { plainText } from "../render/shown-text.js";
import { NO_TERMINAL } from "../render/terminal-view.js";
import { SESSION } from "./shared-arguments.js";

export const capture = command({
  name: "capture",
  group: "Observe",
  summary: "Print a session's screen",
  more: `With --follow also new output, as plain lines, until the program ends; with --json each line is an object. Suits programs that print lines;
full-screen agents are better seen with \`tmpm attach\`.

  tmpm capture demo
  tmpm capture demo --history 200
  tmpm capture demo --follow`,
  args: { session: SESSION },
  options: {
    history: { takes: "count", label: "N", summary: "Include N lines of scrollback" },
    follow: { takes: "flag", summary: "Continue with new output" },
  },
  printed: { forms: [answerOf("capture"), objectOf({ line: TEXT }), objectOf({ missed: TEXT })], perLine: true },
  async run({ session, history, follow }, context): Promise<ScreenAnswer | null> {
    if (!follow) return context.client().capture({ session, history });
    if (history !== undefined) throw usageError("--follow and --history are mutually exclusive", "Give one of them.");
    await context.client().show({ session });
    await printLines(session, context);
    return null;
  },
  render: (screen) => (screen === null ? "" : screen.lines.map(visibleText).join("\n").replace(/\n+$/, "")),
  verbatim: () => true,
  json: (screen) => (screen === null ? "" : JSON.stringify(screen)),
  notes: (screen) => (screen === null || screen.live ? [] : ["these are the last lines of a session that has ended"]),
});

/** Until the terminal ends, or the reader goes away. */
async function printLines(session: string, context: Context): Promise<void> {
  const { terminal = NO_TERMINAL } = await context.view();
  let plain = plainLines();
  const print = (line: string) => context.print({ text: plainText(line, terminal), json: JSON.stringify({ line }) });
  const printMissed = (missed: string, note: string | null) =>
    context.print({ text: `[some output was missed${note === null ? "" : `: ${note}`}]`, json: JSON.stringify({ missed, note }) });
  for await (const event of await context.terminal(session)) {
    const last = plain.rest();
    if (event.kind === "output") {
      if (!plain.take(event.bytes).every(print)) return;
    } else if (event.kind === "screen") {
      if (event.reason !== null) printMissed(event.reason, event.note);
      plain = plainLines();
      const { lines, cursor } = event.screen;
      if (!lines.slice(0, cursor.row).map(visibleText).every(print)) return;
      plain.take(new TextEncoder().encode(lines[cursor.row] ?? ""));
    } else if (event.kind === "end" && last !== "") print(last);
  }
}
