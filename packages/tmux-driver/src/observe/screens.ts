import { type PaneIdentity, TmpmError } from "@tmpm/core";
import type { PaneInfo, Screen } from "../driver.js";
import { paneGone } from "../effects/guard.js";
import type { LookContext } from "../server/server-context.js";
import { commandText } from "../transport/argument.js";
import type { Command } from "../transport/channel.js";
import { foundRow } from "./find.js";
import { look } from "./look.js";
import { PAINT_TEXTS, paintCommands, paintFromTexts } from "./paint.js";
import { paneInfos } from "./pane-infos.js";
import type { RowFormats } from "./pane-row.js";
import { readScreen, SCREEN_TEXTS, screenFormat } from "./screen-text.js";

/** What a client can send to a server at once (16 KB) holds this many with ease. */
export const MOST_SCREENS = 12;

export interface ScreenQuery {
  readonly identity: PaneIdentity;
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

/** The screens of panes in one request, in the order of the queries; each with its facts in one step of the server. */
export async function readScreens(context: LookContext, queries: readonly ScreenQuery[]): Promise<(PaintedScreen | TmpmError)[]> {
  const seen = await look(context, (formats) => queries.flatMap((query) => screenCommands(formats, query)));
  const infos = seen.kind === "seen" ? await paneInfos(context, seen.rows) : [];
  let from = 0;
  return Promise.all(
    queries.map(async ({ identity, painted }) => {
      const start = from;
      from += SCREEN_TEXTS + (painted === true ? PAINT_TEXTS : 0);
      const texts = seen.kind === "seen" ? seen.texts.slice(start, from) : [];
      const found = await foundRow(context, { seen, identity });
      if (found instanceof TmpmError) return found;
      const pane = infos.find((info) => info.identity.pane_id === identity.pane_id);
      return pane === undefined ? paneGone(identity) : screenOf(texts, pane);
    }),
  );
}

/** Prints a pane's row and its texts. */
function screenCommands(formats: RowFormats, { identity, history, painted = false }: ScreenQuery): Command[] {
  const paneId = identity.pane_id;
  const capture: Command = ["capture-pane", "-p", "-e", "-t", paneId, "-S", history === 0 ? "0" : `-${history}`];
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
