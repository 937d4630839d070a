import type { SessionAnswer } from "@tmpm/api";
import { sessionRefreshes } from "@tmpm/api/client";
import { standingText } from "@tmpm/api/standing";
import { useEffect, useState } from "preact/hooks";
import { sleep } from "../daemon/timers.js";
import { tmpm } from "../daemon/tmpm.js";
import { now } from "../state/clock.js";
import { onEvent } from "../state/heard.js";
import { mayChange } from "../state/me.js";
import { connection } from "../state/sessions.js";
import { perform, reactivate } from "../state/verbs.js";
import { age } from "../words/age.js";
import { failureText } from "../words/failure-words.js";
import { where } from "../words/session-words.js";
import { oneLine } from "../words/shown.js";

/** After these events a session may enter or leave the archive. */
const CHANGES: ReadonlySet<string> = new Set([
  ...["session_archived", "session_reactivated", "session_resumed", "session_removed", "session_undone", "session_deleted"],
]);

/** The archived sessions, the most recently changed first; like the list, without removed ones. */
export function Archived() {
  const [sessions, setSessions] = useState<readonly SessionAnswer[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isLive = connection.value === "live";
  useEffect(() => {
    if (!isLive) return;
    const leave = new AbortController();
    const refreshes = sessionRefreshes({
      client: { list: (query, options) => tmpm.list({ ...query, archived: true, sort: "-updated_at" }, options), show: tmpm.show },
      listed(list) {
        setSessions(list.sessions.filter(({ state }) => state !== "decommissioned" && state !== "deleted"));
        setFailure(null);
      },
      seen: () => undefined,
      gone: () => undefined,
      failed(error) {
        setFailure(failureText(error));
        return true;
      },
      pause: sleep,
      signal: leave.signal,
    });
    const stop = onEvent(({ type }) => {
      if (CHANGES.has(type)) refreshes.all();
    });
    refreshes.all();
    return () => {
      stop();
      leave.abort();
    };
  }, [isLive]);
  return (
    <main class="pane page" aria-labelledby="archived-title">
      <h1 id="archived-title">Archived sessions</h1>
      {failure !== null && (
        <p class="error" role="alert">
          {failure}
        </p>
      )}
      {sessions?.length === 0 && <p class="soft">No session is archived.</p>}
      <ul class="devices">
        {sessions?.map((session) => (
          <ArchivedSession key={session.id} session={session} />
        ))}
      </ul>
    </main>
  );
}

function ArchivedSession({ session }: { readonly session: SessionAnswer }) {
  const { name, updated_at, task } = session;
  return (
    <li data-archived={name}>
      <p>
        <strong>{oneLine(name)}</strong>
        <span class="soft">
          {" "}
          · {standingText(session)} · {where(session)} · changed {age(updated_at, now.value)} ago
        </span>
        {task !== "" && <span class="soft"> · {oneLine(task)}</span>}
      </p>
      {mayChange.value && (
        <p class="settings-tools">
          <button type="button" class="button" aria-label={`Reactivate ${oneLine(name)}`} onClick={() => void reactivate(session)}>
            Reactivate
          </button>
          <button
            type="button"
            class="button danger"
            aria-label={`Remove ${oneLine(name)}`}
            onClick={() => void perform("remove", session)}
          >
            Remove
          </button>
        </p>
      )}
    </li>
  );
}
