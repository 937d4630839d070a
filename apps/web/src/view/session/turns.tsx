import type { QueueAnswer, SessionAnswer, TurnAnswer } from "@tmpm/api";
import { useEffect, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { now } from "../../state/clock.js";
import { onEvent } from "../../state/heard.js";
import { mayChange } from "../../state/me.js";
import { say } from "../../state/notices.js";
import { age } from "../../words/age.js";
import { failureText } from "../../words/failure-words.js";
import { oneLine, shown } from "../../words/shown.js";

const SHOWN = "20";

/** The queued prompts, and the outcomes of earlier ones. */
export function Turns({ session: { id, queued } }: { readonly session: SessionAnswer }) {
  const [turns, setTurns] = useState<readonly TurnAnswer[]>([]);
  const [queue, setQueue] = useState<QueueAnswer | null>(null);
  const [asked, setAsked] = useState(0);
  const look = () => setAsked((count) => count + 1);
  useEffect(
    () =>
      onEvent(({ type, session_id }) => {
        if (session_id === id && type.startsWith("turn_")) look();
      }),
    [id],
  );
  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    Promise.all([tmpm.turns({ session: id, limit: SHOWN }, { signal }), tmpm.queue({ session: id }, { signal })]).then(
      ([list, now]) => {
        setTurns(list.turns);
        setQueue(now);
      },
      (error: unknown) => {
        if (!signal.aborted) say(failureText(error), { tone: "error" });
      },
    );
    return () => leave.abort();
  }, [id, queued, asked]);
  const act = (run: () => Promise<unknown>) => void run().then(look, (error: unknown) => say(failureText(error), { tone: "error" }));
  const waiting = queue?.waiting ?? [];
  return (
    <aside class="beside-look" aria-label="Turns and queue">
      {waiting.length > 0 && (
        <>
          <h2>
            Waiting <span class="count">{waiting.length}</span>
          </h2>
          <ol class="turns">
            {waiting.map(({ id: turn, prompt, held }, index) => (
              <li key={turn}>
                <p class="prompt">{shown(prompt)}</p>
                {held !== null && <p class="soft">waits: {oneLine(held.evidence.join("; ") || held.reason.replaceAll("_", " "))}</p>}
                {mayChange.value && (
                  <p class="turn-tools">
                    {index > 0 && (
                      <button type="button" class="link" onClick={() => act(() => tmpm.moveTurn({ session: id, turn, to: "front" }))}>
                        To the front
                      </button>
                    )}
                    <button type="button" class="link" onClick={() => act(() => tmpm.cancelTurn({ session: id, turn, waiting: "true" }))}>
                      Cancel
                    </button>
                  </p>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
      <h2>Turns</h2>
      {turns.length === 0 && <p class="soft">No prompts have been sent through tmpm yet.</p>}
      <ol class="turns">
        {turns
          .filter(({ state }) => state !== "queued")
          .toReversed()
          .map((turn) => (
            <li key={turn.id}>
              <p class="prompt">{shown(turn.prompt)}</p>
              {turn.final_message !== null && <p class="answer">{shown(turn.final_message)}</p>}
              <p class="soft">{turnLine(turn, now.value)}</p>
            </li>
          ))}
      </ol>
    </aside>
  );
}

function turnLine({ state, outcome, cause, code, note, started_at, ended_at, accepted_at }: TurnAnswer, at: number): string {
  if (outcome === null) return `${state.replaceAll("_", " ")} for ${age(started_at ?? accepted_at, at)}`;
  const why = [cause === null ? "" : `by ${cause.replaceAll("_", " ")}`, code ?? "", note === null ? "" : oneLine(note)].filter(
    (word) => word !== "",
  );
  const took = started_at === null || ended_at === null ? "" : `, took ${age(started_at, Date.parse(ended_at))}`;
  return `${[outcome, ...why].join(" · ")}${took}, ${age(ended_at ?? accepted_at, at)} ago`;
}
