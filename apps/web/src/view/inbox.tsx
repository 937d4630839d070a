import { sessionHash } from "../state/route.js";
import { decisions, isListed, needing } from "../state/sessions.js";
import { where } from "../words/session-words.js";
import { oneLine } from "../words/shown.js";
import { asks, DecisionCard } from "./session/decision-card.js";
import { SessionRow } from "./session-row.js";

/** All open requests of all sessions, and other sessions that need the user. */
export function Inbox() {
  const others = needing.value.filter(({ decision }) => decision === null);
  const none = decisions.value.length === 0 && others.length === 0;
  return (
    <main class="pane page" aria-labelledby="inbox-title">
      <h1 id="inbox-title">Inbox</h1>
      {none && isListed.value && <p class="soft">Nothing waits for you. Questions of agents appear here at once.</p>}
      <ul class="inbox">
        {decisions.value.filter(asks).map((session) => (
          <li key={session.decision.id} data-decision={session.decision.id}>
            <h2>
              <a href={sessionHash(session.id)}>{oneLine(session.name)}</a>
              <span class="meta">{where(session)}</span>
            </h2>
            <DecisionCard session={session} opens />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <>
          <h2 class="group">Also need you</h2>
          <ul class="beside others">
            {others.map((session) => (
              <li key={session.id}>
                <SessionRow session={session} />
              </li>
            ))}
          </ul>
        </>
      )}
    </main>
  );
}
