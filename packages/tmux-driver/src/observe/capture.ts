import { hasCode, type PaneIdentity, TmpmError } from "@tmpm/core";
import type { Answer, Screen } from "../driver.js";
import { paneGone } from "../effects/guard.js";
import type { LookContext, ServerContext } from "../server/server-context.js";
import { requireHistory } from "./history.js";
import { type PaintedScreen, readScreens, type ScreenQuery } from "./screens.js";

/** @throws PANE_GONE, PANE_FOREIGN, TMUX_UNRESPONSIVE, TMUX_FAILED */
export async function captureScreen(context: ServerContext, query: ScreenQuery): Promise<Screen> {
  requireHistory(query.history);
  return screenOrThrow(await context.screen(query)).screen;
}

/** At once, with the bytes that paint the screen. @throws as `captureScreen` */
export async function capturePainted(context: LookContext, identity: PaneIdentity): Promise<PaintedScreen> {
  const [result = paneGone(identity)] = await readScreens(context, [{ identity, history: 0, painted: true }]);
  return screenOrThrow(result);
}

export async function captureScreens(context: ServerContext, queries: readonly ScreenQuery[]): Promise<Answer<Screen>[]> {
  for (const { history } of queries) requireHistory(history);
  return (await Promise.all(queries.map(context.screen))).map(answerOf);
}

function screenOrThrow(result: PaintedScreen | TmpmError): PaintedScreen {
  if (result instanceof TmpmError) throw result;
  return result;
}

/** `PANE_GONE` and `PANE_FOREIGN` are proof that the pane is not there; any other error is none. */
function answerOf(result: PaintedScreen | TmpmError): Answer<Screen> {
  if (!(result instanceof TmpmError)) return { kind: "present", value: result.screen };
  return hasCode(result, "PANE_GONE", "PANE_FOREIGN") ? { kind: "absent", reason: result.message } : { kind: "unknown", error: result };
}
