import type { Context } from "../context.js";
import { attached } from "./attached.js";
import { clock } from "./clock.js";
import { dashboard } from "./dashboard.js";
import { ending } from "./ending.js";
import { fullScreen, type TopTerminal } from "./full-screen.js";
import type { Effect, Message } from "./message.js";
import { perform } from "./perform.js";
import { screenFeed } from "./screen-feed.js";
import { feedSessions } from "./session-feed.js";
import { stage } from "./stage.js";
import { type SeenScreen, selectedSession, type TopState } from "./state.js";
import { suspended } from "./suspended.js";
import { TUI } from "./terminal-ui.js";

/** Shows the dashboard until it is left, then restores the terminal. Returns the exit status. @throws the daemon's first error */
export async function runTop(context: Context, terminal: TopTerminal): Promise<number> {
  // Starts the daemon, and reports a version mismatch, before taking the terminal.
  const { sessions, problems } = await context.client().list({});
  const over = ending(terminal);
  const screen = fullScreen({ ...terminal, onResize: (size) => tell({ kind: "resized", size }) });
  const tui = new TUI(screen);
  const shown = stage(tui, () => tell({ kind: "resized", size: screen.size() }));
  const ages = clock(() => tell({ kind: "ticked" }));
  const seen = screenFeed({
    client: context.observer(),
    terminal: context.terminal,
    tell: (at: SeenScreen) => tell({ kind: "screen", screen: at }),
    fail: over.fail,
  });
  const board = dashboard(tui, { env: context.env, size: screen.size(), tell });

  function tell(message: Message): void {
    if (over.signal.aborted) return;
    const { state, effects } = board.hear(message);
    seen.watch(watched(state));
    for (const id of happenedTo(message, state)) seen.happened(id);
    ages.wind(state);
    for (const effect of effects) act(effect).catch(over.fail);
  }

  async function act(effect: Effect): Promise<void> {
    if (effect.kind === "quit") return over.end(0);
    if (effect.kind === "redraw") return tui.requestRender(true);
    if (effect.kind === "suspend") return shown.lend(suspended);
    if (effect.kind === "attach") return shown.lend(() => attached(effect.session.id, { context, tell }));
    await perform(effect, { client: context.client(), env: context.env, signal: over.signal, tell });
  }

  over.onStop(() => void shown.lend(suspended));
  over.onContinue(shown.anew);
  tell({ kind: "listed", sessions, problems: problems.length });
  shown.start();
  feedSessions({ client: context.observer(), signal: over.signal, tell }).catch(over.fail);
  try {
    return await over.status;
  } finally {
    ages.stop();
    seen.watch(null);
    shown.close();
  }
}

function watched(state: TopState) {
  const session = selectedSession(state);
  return session === null ? null : { id: session.id, live: session.state === "active", launch: session.launched_at };
}

function happenedTo(message: Message, { selected }: TopState): readonly string[] {
  if (message.kind === "seen") return [message.session.id];
  const anew = message.kind === "listed" || (message.kind === "connected" && message.connected);
  return anew && selected !== null ? [selected] : [];
}
