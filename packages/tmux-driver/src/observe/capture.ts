import { hasCode, type PaneIdentity, TmpmError } from "@tmpm/core";
import type { Answer, Screen } from "../driver.js";
import type { ObserveContext, ServerContext } from "../server/server-context.js";
import { requireHistory } from "./history.js";
import { type PaintedScreen, readMarked, type ScreenQuery } from "./screens.js";

/** @throws PANE_GONE, PANE_FOREIGN, TMUX_UNRESPONSIVE, TMUX_FAILED */
export async function captureScreen(context: ServerContext, query: ScreenQuery): Promise<Screen> {
  requireHistory(query.history);
  return orThrow(await context.screen(query));
}

/** At the same moment, with the bytes that paint the screen. @throws like `captureScreen` */
export async function capturePainted(context: ObserveContext, identity: PaneIdentity): Promise<PaintedScreen> {
  return orThrow(await readMarked(context, { identity, history: 0, painted: true }));
}

export async function captureScreens(context: ServerContext, queries: readonly ScreenQuery[]): Promise<Answer<Screen>[]> {
  for (const { history } of queries) requireHistory(history);
  return (await Promise.all(queries.map(context.screen))).map(answerOf);
}

function orThrow<T>(result: T | TmpmError): T {
  if (result instanceof TmpmError) throw result;
  return result;
}

/** `PANE_GONE` and `PANE_FOREIGN` prove that the pane is absent; other errors do not. */
function answerOf(result: Screen | TmpmError): Answer<Screen> {
  if (!(result instanceof TmpmError)) return { kind: "present", value: result };
  return hasCode(result, "PANE_GONE", "PANE_FOREIGN") ? { kind: "absent", reason: result.message } : { kind: "unknown", error: result };
}
