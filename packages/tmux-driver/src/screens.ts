import { type PaneIdentity, TmpmError } from "@tmpm/core";
import { commandText } from "./argument.js";
import type { Command } from "./channel.js";
import type { PaneInfo, Screen } from "./driver.js";
import { foundRow, paneInfos } from "./find.js";
import { paneGone } from "./guard.js";
import { requireHistory } from "./history.js";
import { look } from "./look.js";
import { PAINT_PARTS, paintFromParts } from "./paint.js";
import { PANE_FORMAT } from "./pane-row.js";
import { readScreen, screenPart } from "./screen-text.js";
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
  const parts = [screenPart(history), ...(painted ? PAINT_PARTS : [])];
  const seen = await look(context, {
    rows: ids.map((id) => ["display-message", "-p", "-t", id, PANE_FORMAT]),
    texts: ids.flatMap((id) => parts.map((part) => whereThere(id, part(id)))),
  });
  const infos = seen.kind === "seen" ? await paneInfos(context, seen.rows) : [];
  return Promise.all(
    identities.map(async (identity, index) => {
      const found = await foundRow(context, { seen, identity });
      if (found instanceof TmpmError) return found;
      const pane = infos.find((info) => info.identity.pane_id === identity.pane_id);
      if (seen.kind !== "seen" || pane === undefined) return paneGone(identity);
      return screenOf(seen.texts.slice(index * parts.length, (index + 1) * parts.length), pane);
    }),
  );
}

/** A target that is missing would end the whole command list. */
function whereThere(paneId: string, commands: readonly Command[]): Command {
  return ["if-shell", "-F", "-t", paneId, `#{==:#{pane_id},${paneId}}`, commandText(commands)];
}

function screenOf([text = "", ...paint]: readonly string[], pane: PaneInfo): PaintedScreen {
  const screen = { ...readScreen(text), pane };
  return { screen, paint: paint.length === 0 ? Buffer.alloc(0) : paintFromParts(paint, screen) };
}
