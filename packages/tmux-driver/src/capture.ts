import { hasCode, type PaneIdentity, TmpmError } from "@tmpm/core";
import type { Answer, Screen } from "./driver.js";
import { paneGone } from "./guard.js";
import { type PaintedScreen, readScreens, type ScreensQuery } from "./screens.js";
import type { ServerContext } from "./server-context.js";

/** @throws PANE_GONE, PANE_FOREIGN, TMUX_UNRESPONSIVE, TMUX_FAILED */
export async function captureScreen(
  context: ServerContext,
  query: { readonly identity: PaneIdentity; readonly history: number },
): Promise<Screen> {
  return (await capturePainted(context, { ...query, painted: false })).screen;
}

/** The same with the bytes that paint the screen, when asked for. */
export async function capturePainted(
  context: ServerContext,
  { identity, ...query }: Omit<ScreensQuery, "identities"> & { readonly identity: PaneIdentity },
): Promise<PaintedScreen> {
  const [result = paneGone(identity)] = await readScreens(context, { ...query, identities: [identity] });
  if (result instanceof TmpmError) throw result;
  return result;
}

export async function captureScreens(context: ServerContext, query: ScreensQuery): Promise<Answer<Screen>[]> {
  return (await readScreens(context, query)).map(answerOf);
}

/** `PANE_GONE` and `PANE_FOREIGN` are proof that the pane is not there; any other error is none. */
function answerOf(result: PaintedScreen | TmpmError): Answer<Screen> {
  if (!(result instanceof TmpmError)) return { kind: "present", value: result.screen };
  return hasCode(result, "PANE_GONE", "PANE_FOREIGN") ? { kind: "absent", reason: result.message } : { kind: "unknown", error: result };
}
