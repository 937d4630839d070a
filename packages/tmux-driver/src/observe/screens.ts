import { type PaneIdentity, TmpmError } from "@tmpm/core";
import type { PaneInfo, Screen } from "../driver.js";
import { paneGone } from "../effects/guard.js";
import type { ObserveContext } from "../server/server-context.js";
import { commandText } from "../transport/argument.js";
import type { Command } from "../transport/channel.js";
import { foundRow } from "./find.js";
import { observeServer } from "./observe-server.js";
import { paintCommands, paintFromTexts } from "./paint.js";
import { paneInfos } from "./pane-infos.js";
import type { RowFormats } from "./pane-row.js";
import { readScreenBatch } from "./screen-batch.js";
import { readScreen, SCREEN_TEXTS, screenFormat } from "./screen-text.js";

/** Fits easily in one message of a client to a server (16 KB). */
export const MOST_SCREENS = 100;

export interface ScreenQuery {
  readonly identity: PaneIdentity;
  /** Rows of scrollback before the screen. */
  readonly history: number;
}

export interface PaintedScreen {
  readonly screen: Screen;
  /** Empty unless asked for. */
  readonly paint: Buffer;
}

/** The screens of panes in few requests, in the order of the queries; each with its facts in one step of the server. */
export async function readScreens(context: ObserveContext, queries: readonly ScreenQuery[]): Promise<(Screen | TmpmError)[]> {
  const read = await readScreenBatch(context, queries);
  return Promise.all(queries.map(async (query, index) => read[index] ?? (await readAlone(context, query))));
}

async function readAlone(context: ObserveContext, query: ScreenQuery): Promise<Screen | TmpmError> {
  const result = await readMarked(context, query);
  return result instanceof TmpmError ? result : result.screen;
}

/** One screen, with a mark before every part; with `painted` also the bytes that paint it. */
export async function readMarked(
  context: ObserveContext,
  query: ScreenQuery & { readonly painted?: boolean },
): Promise<PaintedScreen | TmpmError> {
  const { identity } = query;
  const seen = await observeServer(context, (formats) => screenCommands(formats, query));
  const found = await foundRow(context, { seen, identity });
  if (found instanceof TmpmError) return found;
  if (seen.kind !== "seen") return paneGone(identity);
  const pane = (await paneInfos(context, seen.rows)).find((info) => info.identity.pane_id === identity.pane_id);
  return pane === undefined ? paneGone(identity) : screenOf(seen.texts, pane);
}

/** Prints a pane's row and its texts. */
function screenCommands(
  formats: RowFormats,
  { identity, history, painted = false }: ScreenQuery & { readonly painted?: boolean },
): Command[] {
  const paneId = identity.pane_id;
  const capture: Command = ["capture-pane", "-p", "-e", "-t", paneId, "-S", history === 0 ? "0" : `-${history}`];
  return [
    ["display-message", "-p", "-t", paneId, `${formats.pane}${screenFormat(formats)}`],
    whereThere(paneId, [capture, ...(painted ? paintCommands(formats, paneId) : [])]),
  ];
}

/** A missing target would end the whole command list. */
function whereThere(paneId: string, commands: readonly Command[]): Command {
  return ["if-shell", "-F", "-t", paneId, `#{==:#{pane_id},${paneId}}`, commandText(commands)];
}

function screenOf(texts: readonly string[], pane: PaneInfo): PaintedScreen {
  const screen = { ...readScreen(texts), pane };
  const paint = texts.slice(SCREEN_TEXTS);
  return { screen, paint: paint.length === 0 ? Buffer.alloc(0) : paintFromTexts(paint, screen) };
}
