import { type Exit, hasCode, type KillReport, type PaneIdentity, withEffect } from "@tmpm/core";
import { killHeld, type LastWords } from "@tmpm/holder";
import { until } from "@tmpm/processes";
import type { DriverContext } from "./driver-context.js";
import { factsOf } from "./output.js";
import { exitOf } from "./pane-infos.js";

const NOTICE_MS = 1000;
const LAST_LINES = 50;
/** Rows of scrollback: a screen may end with empty rows. */
const HISTORY = 1000;

/** With survivors the holder stays, so that the call can be repeated. */
export function killTerminal(
  context: DriverContext,
  { identity, graceMs }: { readonly identity: PaneIdentity; readonly graceMs: number },
): Promise<KillReport> {
  return killHeld(identity, { graceMs, table: context.table, words: () => lastWords(context, identity) });
}

/** The exit, once the holder has noticed the program's end, and the last lines. A holder that does not answer reports neither, and lines that are too long are left out. */
async function lastWords(context: DriverContext, identity: PaneIdentity): Promise<LastWords> {
  let exit: Exit | null = null;
  try {
    const link = await context.links.of(identity);
    const noticed = async () => {
      exit = exitOf(await context.infoOf(link));
      return exit !== null;
    };
    await until(noticed, { withinMs: NOTICE_MS, everyMs: 10 });
    const { value } = await link.call("capture", { args: { history: HISTORY } });
    return { exit, lastLines: lastLinesOf(factsOf(value).lines) };
  } catch (error) {
    // The processes are gone, even if this call fails.
    if (!hasCode(error, "PANE_GONE", "PANE_FOREIGN", "UNRESPONSIVE", "RESOURCE_EXHAUSTED", "INVALID_ARGUMENT"))
      throw withEffect(error, "unknown");
    return { exit, lastLines: [] };
  }
}

function lastLinesOf(lines: readonly string[]): readonly string[] {
  const used = lines.findLastIndex((line) => line !== "") + 1;
  return lines.slice(Math.max(0, used - LAST_LINES), used);
}
