import { standing, standingText } from "@tmpm/api/standing";
import { useRef } from "preact/hooks";
import { sessionHash } from "../state/route.js";
import { sorted } from "../state/sessions.js";
import { hasTerminal } from "../words/session-words.js";
import { oneLine } from "../words/shown.js";
import { LazyTerminal } from "./terminal/lazy-terminal.js";
import { TONE_CLASS } from "./tone.js";

/** Maximum number, because each is a connection and an emulator. */
const MOST = 9;

/** Terminals of running sessions side by side, in the order at opening, so that none moves while watched. */
export function Grid() {
  const order = useRef<readonly string[]>([]);
  const live = sorted.value.filter(hasTerminal);
  const known = order.current.filter((id) => live.some((session) => session.id === id));
  order.current = [...known, ...live.map(({ id }) => id).filter((id) => !known.includes(id))].slice(0, MOST);
  const shown = order.current.flatMap((id) => live.find((session) => session.id === id) ?? []);
  if (shown.length === 0) return <main class="pane page soft">No session is running in a terminal.</main>;
  return (
    <main class="pane grid" aria-labelledby="grid-title" tabIndex={-1}>
      <h1 id="grid-title" class="unseen">
        Terminals
      </h1>
      {shown.map((session) => {
        const { sign, tone } = standing(session);
        return (
          <article key={session.id} class="tile">
            <h2>
              <a href={sessionHash(session.id)}>{oneLine(session.name)}</a>{" "}
              <span class={TONE_CLASS[tone]}>
                <span class="sign" aria-hidden="true">
                  {sign}
                </span>{" "}
                {standingText(session)}
              </span>
            </h2>
            <LazyTerminal session={session} small />
          </article>
        );
      })}
      {live.length > shown.length && <p class="soft">{live.length - shown.length} more are running; see the list.</p>}
    </main>
  );
}
