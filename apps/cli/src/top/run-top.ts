import type { FleetList } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import type { Context } from "../context.js";
import { addressedFleet } from "../fleet/addressed-commands.js";
import { isWide } from "../fleet/each-node.js";
import { refuseActing } from "../fleet/place.js";
import { keyOf } from "../render/key-of.js";
import { attached } from "./attached.js";
import { clock } from "./clock.js";
import { dashboard } from "./dashboard.js";
import { ending } from "./ending.js";
import { fullScreen, type TopTerminal } from "./full-screen.js";
import type { Effect, Message } from "./message.js";
import { feedNodes } from "./node-feeds.js";
import { pause } from "./pause.js";
import { perform } from "./perform.js";
import { screenFeed } from "./screen-feed.js";
import { feedSessions } from "./session-feed.js";
import { stage } from "./stage.js";
import { type SeenScreen, selectedSession, type TopState } from "./state.js";
import { suspended } from "./suspended.js";
import { TUI } from "./terminal-ui.js";

export interface TopOptions extends TopTerminal {
  /** Labels of the nodes to show, `local` for this machine; empty for all. */
  readonly only: readonly string[];
}

/** Shows the dashboard until it is left, then restores the terminal. Returns the exit status. @throws the daemon's first error */
export async function runTop(context: Context, { only, ...terminal }: TopOptions): Promise<number> {
  if (only.some((label) => label !== "local")) refuseActing(context.settled());
  // Starts the daemon, and reports a version mismatch, before taking the terminal.
  const first = isWide(context, only)
    ? partsOf(addressedFleet(await context.client().fleet({ node: [...only] })))
    : [await ownPart(context.client())];
  const over = ending(terminal);
  const screen = fullScreen({ ...terminal, onResize: (size) => send({ kind: "resized", size }) });
  const tui = new TUI(screen);
  const shown = stage(tui, () => send({ kind: "resized", size: screen.size() }));
  const ages = clock(() => send({ kind: "ticked" }));
  const seen = screenFeed({
    client: (node) => context.at(node).observer(),
    terminal: ({ node, id }) => context.at(node).terminal(id),
    send: (at: SeenScreen) => send({ kind: "screen", screen: at }),
    fail: over.fail,
  });
  const board = dashboard(tui, { env: context.env, size: screen.size(), send });

  function send(message: Message): void {
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
    if (effect.kind === "attach") return shown.lend(() => attached(effect.session, { context, send }));
    await perform(effect, { client: (node) => context.at(node).client(), env: context.env, signal: over.signal, send });
  }

  over.onStop(() => void shown.lend(suspended));
  over.onContinue(shown.anew);
  for (const message of first) send(message);
  // The first list is of one machine only.
  send({ kind: "command", command: "first" });
  shown.start();
  const { signal } = over;
  if (only.length === 0 || only.includes("local")) {
    const connected = (connected: boolean) => send({ kind: "connected", connected });
    feedSessions({ client: context.observer(), node: null, signal, send, connected }).catch(over.fail);
  }
  const others = only.filter((label) => label !== "local");
  if (only.length === 0 || others.length > 0) {
    const at = (node: string) => context.at(node).observer();
    const { hasNodes } = context;
    feedNodes({ client: context.observer(), at, hasNodes, only: others, signal, send, fail: over.fail, pause }).catch(over.fail);
  }
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
  // The screen of a node that does not answer is not requested.
  if (session === null || session.was !== null) return null;
  const { id, node, state: standing, launched_at } = session;
  return { key: keyOf(session), id, node, live: standing === "active", launch: launched_at };
}

function happenedTo(message: Message, { selected }: TopState): readonly string[] {
  if (message.kind === "seen") return [keyOf({ node: message.node, id: message.session.id })];
  const anew = message.kind === "listed" || (message.kind === "connected" && message.connected);
  return anew && selected !== null ? [selected] : [];
}

async function ownPart(client: Client): Promise<Message> {
  const { sessions, problems } = await client.list({});
  return { kind: "listed", node: null, sessions, problems: problems.length };
}

/** The list of each machine, and the machines that did not answer. */
function partsOf({ sessions, problems, nodes }: FleetList): readonly Message[] {
  return nodes.flatMap(({ node, complete, reason, as_of }): readonly Message[] => {
    const of = <T extends { readonly node: string | null }>(all: readonly T[]) => all.filter((each) => each.node === node);
    const listed = { kind: "listed" as const, node, sessions: of(sessions), problems: of(problems).length };
    if (complete || node === null) return [listed];
    return [listed, { kind: "silent", node, reason: reason ?? "unknown reason", asOf: as_of }];
  });
}
