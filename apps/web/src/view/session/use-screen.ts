import type { SessionAnswer } from "@tmpm/api";
import { useEffect, useState } from "preact/hooks";
import { watchScreen } from "../../daemon/watch-screen.js";
import { failureText } from "../../words/failure-words.js";
import { isLive } from "../../words/session-words.js";

export interface SeenScreen {
  readonly lines: readonly string[];
  readonly failure: string | null;
}

/** A session's screen with a number of scrollback lines, while the page is visible. */
export function useScreen(session: SessionAnswer, history: number): SeenScreen {
  const { id, launched_at } = session;
  const live = isLive(session);
  const [screen, setScreen] = useState<SeenScreen>({ lines: [], failure: null });
  const visible = useVisible();
  useEffect(() => {
    if (!visible) return;
    return watchScreen({
      session: id,
      history,
      live,
      seen: (lines) => setScreen({ lines, failure: null }),
      failed: (error) => setScreen((last) => ({ ...last, failure: failureText(error) })),
    });
  }, [id, history, live, launched_at, visible]);
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
