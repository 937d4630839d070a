import type { SessionAnswer } from "@tmpm/api";
import { useEffect, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { failureText } from "../../words/failure-words.js";
import { trimmedScreen } from "../../words/screen-text.js";

export interface SeenScreen {
  readonly lines: readonly string[];
  readonly failure: string | null;
}

/** What a session's terminal shows, looked at whenever something was heard of the session. */
export function useScreen({ id, activity, rev }: SessionAnswer): SeenScreen {
  const [screen, setScreen] = useState<SeenScreen>({ lines: [], failure: null });
  useEffect(() => {
    const leave = new AbortController();
    tmpm.capture({ session: id }, { signal: leave.signal }).then(
      ({ lines }) => setScreen({ lines: trimmedScreen(lines), failure: null }),
      (error) => {
        if (!leave.signal.aborted) setScreen((last) => ({ ...last, failure: failureText(error) }));
      },
    );
    return () => leave.abort();
  }, [id, activity.observed_at, rev]);
  return screen;
}
