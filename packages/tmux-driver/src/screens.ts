import { type PaneIdentity, TmpmError } from "@tmpm/core";
import { commandText } from "./argument.js";
import type { Command } from "./channel.js";
import type { PaneInfo, Screen } from "./driver.js";
import { foundRow } from "./find.js";
import { paneGone } from "./guard.js";
import { requireHistory } from "./history.js";
import { look } from "./look.js";
import { PAINT_TEXTS, paintCommands, paintFromTexts } from "./paint.js";
import { paneInfos } from "./pane-infos.js";
import type { RowFormats } from "./pane-row.js";
import { readScreen, SCREEN_TEXTS, screenFormat } from "./screen-text.js";
import type { ServerContext } from "./server-context.js";

/** What a client can send to a server at once (16 KB) holds this many with ease. */
const AT_ONCE = 12;

export interface ScreensQuery {
  readonly identities: readonly PaneIdentity[];
  /** Rows of scrollback before the screen. */
  readonly history: number;
  /** Also the bytes that paint the screen. */
  readonly painted?: boolean;
}

export interface PaintedScreen {
  readonly screen: Screen;
  /** Empty unless asked for. */
  readonly paint: Buffer;
}

/** The screens of many panes in as few requests as can be, in the order of the identities; each with its facts in one step of the server. */
export async function readScreens(context: ServerContext, query: ScreensQuery): Promise<(PaintedScreen | TmpmError)[]> {
  requireHistory(query.history);
  const starts = Array.from({ length: Math.ceil(query.identities.length / AT_ONCE) }, (_, index) => index * AT_ONCE);
  const parts = await Promise.all(
    starts.map((from) => readBatch(context, { ...query, identities: query.identities.slice(from, from + AT_ONCE) })),
  );
  return parts.flat();
}

async function readBatch(context: ServerContext, query: ScreensQuery): Promise<(PaintedScreen | TmpmError)[]> {
  const { identities, history, painted = false } = query;
  const ids = identities.map(({ pane_id }) => pane_id);
  const seen = await look(context, (formats) => ids.flatMap((paneId) => screenCommands(formats, { paneId, history, painted })));
  const each = SCREEN_TEXTS + (painted ? PAINT_TEXTS : 0);
  const infos = seen.kind === "seen" ? await paneInfos(context, seen.rows) : [];
  return Promise.all(
    identities.map(async (identity, index) => {
      const found = await foundRow(context, { seen, identity });
      if (found instanceof TmpmError) return found;
      const pane = infos.find((info) => info.identity.pane_id === identity.pane_id);
      if (seen.kind !== "seen" || pane === undefined) return paneGone(identity);
      return screenOf(seen.texts.slice(index * each, (index + 1) * each), pane);
    }),
  );
}

interface ScreenQuery {
  readonly paneId: string;
  readonly history: number;
  readonly painted: boolean;
}

/** Prints a pane's row and its texts. */
function screenCommands(formats: RowFormats, { paneId, history, painted }: ScreenQuery): Command[] {
  const capture: Command = ["capture-pane", "-p", "-t", paneId, "-S", history === 0 ? "0" : `-${history}`];
  return [
    ["display-message", "-p", "-t", paneId, `${formats.pane}${screenFormat(formats)}`],
    whereThere(paneId, [capture, ...(painted ? paintCommands(formats, paneId) : [])]),
  ];
}

/** A target that is missing would end the whole command list. */
function whereThere(paneId: string, commands: readonly Command[]): Command {
  return ["if-shell", "-F", "-t", paneId, `#{==:#{pane_id},${paneId}}`, commandText(commands)];
}

function screenOf(texts: readonly string[], pane: PaneInfo): PaintedScreen {
  const screen = { ...readScreen(texts), pane };
  const paint = texts.slice(SCREEN_TEXTS);
  return { screen, paint: paint.length === 0 ? Buffer.alloc(0) : paintFromTexts(paint, screen) };
}
