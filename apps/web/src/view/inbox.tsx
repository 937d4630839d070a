import { sessionHash } from "../state/route.js";
import { isListed, needing, requests, requestsOf } from "../state/sessions.js";
import { where } from "../words/session-words.js";
import { oneLine } from "../words/shown.js";
import { keyOf, RequestCard } from "./session/request-card.js";
import { SessionRow } from "./session-row.js";

/** All open requests of all sessions, and other sessions that need the user. */
export function Inbox() {
  const others = needing.value.filter((session) => requestsOf(session).length === 0);
  const none = requests.value.length === 0 && others.length === 0;
  return (
    <main class="pane page" aria-labelledby="inbox-title">
      <h1 id="inbox-title">Inbox</h1>
      {none && isListed.value && <p class="soft">Nothing waits for you. Agents' questions appear here immediately.</p>}
      <ul class="inbox">
        {requests.value.map((request) => (
          <li key={keyOf(request)}>
            <h2>
              <a href={sessionHash(request.session.id)}>{oneLine(request.session.name)}</a>
              <span class="meta">{where(request.session)}</span>
            </h2>
            <RequestCard request={request} opens />
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
