import type { SessionAnswer } from "@tmpm/api";
import { openTerminal } from "@tmpm/api/client";
import { useEffect, useState } from "preact/hooks";
import { sleep } from "../../daemon/timers.js";
import { streams, tmpm } from "../../daemon/tmpm.js";
import { watchScreen } from "../../daemon/watch-screen.js";
import { onEvent } from "../../state/heard.js";
import { failureText } from "../../words/failure-words.js";
import { hasTerminal, isLive } from "../../words/session-words.js";

export interface SeenScreen {
  readonly lines: readonly string[];
  readonly failure: string | null;
}

/** A session's screen with a number of scrollback lines, while the page is visible. */
export function useScreen(session: SessionAnswer, history: number): SeenScreen {
  const { id, launched_at } = session;
  const [running, followed] = [isLive(session), hasTerminal(session)];
  const [screen, setScreen] = useState<SeenScreen>({ lines: [], failure: null });
  const visible = useVisible();
  useEffect(() => {
    if (!visible) return;
    return watchScreen({
      capture: async (signal) =>
        (await tmpm.capture({ session: id, ...(history === 0 ? {} : { history: String(history) }) }, { signal })).lines,
      follow: followed ? (signal) => openTerminal(streams, { session: id, signal, attempts: Number.POSITIVE_INFINITY }) : null,
      events: (heard) =>
        onEvent(({ session_id }) => {
          if (session_id === id) heard();
        }),
      isRunning: running,
      pause: sleep,
      seen: (lines) => setScreen({ lines, failure: null }),
      failed: (error) => setScreen((last) => ({ ...last, failure: failureText(error) })),
    });
  }, [id, history, running, followed, launched_at, visible]);
  return screen;
}

function useVisible(): boolean {
  const [visible, setVisible] = useState(document.visibilityState === "visible");
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return visible;
}
