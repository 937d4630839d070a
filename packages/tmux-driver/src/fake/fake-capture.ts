import { hasCode, type PaneIdentity } from "@tmpm/core";
import type { Answer, Screen } from "../driver.js";
import { foreignServer } from "../effects/guard.js";
import { requireHistory } from "../observe/history.js";
import type { FakePane } from "./fake-pane.js";
import type { FakeServer } from "./fake-server.js";

export interface CaptureQuery {
  readonly identity: PaneIdentity;
  readonly socket: string;
  /** Rows of scrollback. */
  readonly history: number;
}

/** @throws PANE_GONE, PANE_FOREIGN, INVALID_ARGUMENT */
export function fakeCapture(server: FakeServer, { identity, socket, history }: CaptureQuery): Screen {
  requireHistory(history);
  return screenOf(server, { pane: samePane(server, { identity, socket }), history });
}

/** Likewise as an answer. */
export function fakeCaptureAnswer(server: FakeServer, query: CaptureQuery): Answer<Screen> {
  try {
    return { kind: "present", value: fakeCapture(server, query) };
  } catch (error) {
    if (hasCode(error, "PANE_GONE", "PANE_FOREIGN")) return { kind: "absent", reason: error.message };
    throw error;
  }
}

export function screenOf(server: FakeServer, { pane, history }: { readonly pane: FakePane; readonly history: number }): Screen {
  const scrolled = pane.screen.history();
  const taken = Math.min(history, scrolled.length);
  return {
    lines: [...scrolled.slice(scrolled.length - taken), ...pane.screen.visible()],
    cursor: { ...pane.screen.cursor(), visible: true },
    historySize: scrolled.length,
    title: pane.title,
    pane: server.info(pane),
  };
}

/** @throws PANE_GONE, PANE_FOREIGN */
export function samePane(server: FakeServer, { identity, socket }: Pick<CaptureQuery, "identity" | "socket">): FakePane {
  if (identity.socket !== socket) throw foreignServer(identity);
  return server.pane(identity);
}
