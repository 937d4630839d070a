import type { SessionAnswer } from "@tmpm/api";
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

export interface TerminalProps {
  readonly session: SessionAnswer;
  /** One of several, which has little room. */
  readonly small?: boolean;
}

type TerminalView = FunctionComponent<TerminalProps>;
let loaded: TerminalView | null = null;

/** The terminal, which is loaded when it is first shown. */
export function LazyTerminal(props: TerminalProps) {
  const [View, setView] = useState<TerminalView | null>(() => loaded);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (View !== null) return;
    import("./terminal-view.js").then(
      ({ TerminalView }) => {
        loaded = TerminalView;
        setView(() => TerminalView);
      },
      () => setFailed(true),
    );
  }, [View]);
  if (View !== null) return <View {...props} />;
  return <p class="loading soft">{failed ? "The terminal could not be loaded. Reload the page." : "Loading the terminal…"}</p>;
}
