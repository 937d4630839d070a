import { isTmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { errorLines } from "../render/error.js";
import { cells } from "./cells.js";
import { type Ending, ending } from "./ending.js";
import { fullScreen, type TopTerminal } from "./full-screen.js";
import { commandOf } from "./keys.js";
import type { Effect, Message } from "./message.js";
import { isMouse, readMouse } from "./mouse.js";
import { perform } from "./perform.js";
import { type Prompt, promptOf } from "./prompt.js";
import { screenFeed } from "./screen-feed.js";
import { feedSessions } from "./session-feed.js";
import { initialState, selectedSession, type TopState } from "./state.js";
import { suspended } from "./suspended.js";
import { type Component, parseKey, TUI } from "./terminal-ui.js";
import { isUnicodeTerminal } from "./unicode-terminal.js";
import { update } from "./update.js";
import { frame } from "./view/frame.js";

/** Shows the dashboard until it is left; the terminal is then as it was. Returns the exit status. @throws what the daemon answers at first */
export async function runTop(context: Context, terminal: TopTerminal): Promise<number> {
  // Starts the daemon, and tells of one of another version, before the terminal is taken.
  const { sessions, problems } = await context.client().list({});
  const over = ending(terminal);
  const top = dashboard(context, { ...terminal, over });
  top.tell({ kind: "listed", sessions, problems: problems.length });
  top.start();
  feedSessions({ client: context.observer(), signal: over.signal, tell: top.tell }).catch((error) => {
    if (!over.signal.aborted) over.fail(error);
  });
  try {
    return await over.status;
  } finally {
    top.stop();
  }
}

const SOON_MS = 1_000;
const LATER_MS = 15_000;
/** Ages below this are told in seconds. */
const IN_SECONDS_MS = 60_000;

function dashboard(context: Context, { stdin, stdout, over }: TopTerminal & { readonly over: Ending }) {
  const screen = fullScreen({ stdin, stdout, onResize: (size) => tell({ kind: "resized", size }) });
  const tui = new TUI(screen);
  const unicode = isUnicodeTerminal(context.env);
  const view = { cells: cells({ unicode }), painting: { colour: !context.env.NO_COLOR }, unicode };
  let state = initialState(screen.size(), Date.now());
  let prompt: Prompt | null = null;
  let ticking: NodeJS.Timeout | undefined;
  let away = false;
  const shown = screenFeed({
    client: context.observer(),
    terminal: context.terminal,
    tell: (seen) => tell({ kind: "screen", screen: seen }),
    fail: over.fail,
  });

  function tell(message: Message): void {
    if (over.signal.aborted) return;
    const step = update({ ...state, now: Date.now() }, message);
    if (step.state.mode !== state.mode) prompt = promptOf(step.state.mode, { tui, filter: step.state.filter, tell });
    state = step.state;
    shown.watch(watched(state));
    for (const id of happenedTo(message, state)) shown.happened(id);
    tick();
    tui.requestRender();
    for (const effect of step.effects) act(effect).catch(over.fail);
  }

  /** Ages go on also when nothing happens. */
  function tick(): void {
    clearTimeout(ticking);
    const soon = [...state.sessions.values()].some(({ activity }) => state.now - Date.parse(activity.since) < IN_SECONDS_MS);
    ticking = setTimeout(() => tell({ kind: "ticked", now: Date.now() }), soon ? SOON_MS : LATER_MS);
  }

  async function act(effect: Effect): Promise<void> {
    if (effect.kind === "quit") return over.end(0);
    if (effect.kind === "redraw") return tui.requestRender(true);
    if (effect.kind === "suspend") return leaving(suspended);
    if (effect.kind === "attach") return leaving(() => attached(effect.session.id));
    await perform(effect, { client: context.client(), env: context.env, tell });
  }

  /** Gives the terminal back for as long as something else has it. */
  async function leaving(act: () => Promise<void>): Promise<void> {
    if (away) return;
    away = true;
    tui.stop();
    try {
      await act();
    } finally {
      away = false;
      if (!over.signal.aborted) start();
    }
  }

  async function attached(session: string): Promise<void> {
    const { attach } = await import("../commands/attach.js");
    try {
      const { exit } = await attach.execute({ positionals: [session], rest: [], values: {} }, context);
      if (exit !== 0) tell({ kind: "told", notice: { text: `attaching ended with status ${exit}`, tone: "red" } });
    } catch (error) {
      if (!isTmpmError(error)) throw error;
      tell({ kind: "told", notice: { text: errorLines(error).join("; "), tone: "red" } });
    }
  }

  function start(): void {
    tui.start();
    tell({ kind: "resized", size: screen.size() });
    tui.requestRender(true);
  }

  const component: Component = {
    render: (columns) => [...frame(state, { ...view, prompt: prompt?.view(columns) ?? null })],
    handleInput(data) {
      if (prompt !== null && !isMouse(data)) return prompt.input(data);
      const message = messageOf(data, state);
      if (message !== null) tell(message);
    },
    invalidate: () => undefined,
  };
  tui.addChild(component);
  tui.setFocus(component);
  over.onStop(() => void leaving(suspended));
  over.onContinue(() => {
    if (away) return;
    tui.stop();
    start();
  });

  return {
    tell,
    start,
    stop() {
      clearTimeout(ticking);
      shown.watch(null);
      if (!away) tui.stop();
    },
  };
}

/** A paste is for a prompt, and no sequence of commands. */
function messageOf(data: string, { mode }: TopState): Message | null {
  if (isMouse(data)) {
    const pointed = readMouse(data);
    return pointed === null ? null : { kind: "pointed", pointed };
  }
  if (data.startsWith("\u001b[200~")) return null;
  const key = /^[!-~]$/.test(data) ? data : parseKey(data);
  if (key === undefined) return null;
  const command = mode.kind === "list" ? commandOf(key) : null;
  return command === null ? { kind: "key", key } : { kind: "command", command };
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
