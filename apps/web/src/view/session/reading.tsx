import type { SessionAnswer } from "@tmpm/api";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { readingParts } from "../../words/reading-parts.js";
import { useScreen } from "./use-screen.js";
import { useSelecting } from "./use-selecting.js";

/** Scrollback lines fetched on request. */
const EARLIER = 1_000;

/** The screen as text that wraps to the window and can be selected. */
export function Reading({ session }: { readonly session: SessionAnswer }) {
  const [history, setHistory] = useState(0);
  const { lines: latest, failure } = useScreen(session, history);
  const box = useRef<HTMLElement>(null);
  const selecting = useSelecting(box);
  const kept = useRef(latest);
  if (!selecting) kept.current = latest;
  const lines = kept.current;
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = box;
    if (current !== null && atEnd.current) current.scrollTop = current.scrollHeight;
  }, [lines]);
  return (
    <section
      class="reading"
      aria-label="Screen"
      ref={box}
      // A scrolling region can be scrolled by keys.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      {history === 0 && lines.length > 0 && (
        <button type="button" class="button quiet earlier" onClick={() => setHistory(EARLIER)}>
          Show earlier lines
        </button>
      )}
      {selecting && latest !== lines && (
        <p class="soft kept-still" role="status">
          Not updated while text in it is selected.
        </p>
      )}
      {failure !== null && <p class="soft">{failure}</p>}
      <div class="screen mono">
        {readingParts(lines).map((part, index) =>
          part.kind === "rule" ? <hr key={`rule${index}`} /> : <pre key={`text${index}`}>{part.text}</pre>,
        )}
      </div>
    </section>
  );
}
