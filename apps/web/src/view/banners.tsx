import { now } from "../state/clock.js";
import { connection, problems, silentHosts } from "../state/sessions.js";
import { otherVersion } from "../state/version.js";
import { age } from "../words/age.js";
import { oneLine } from "../words/shown.js";

/** Warnings that apply to the whole page. */
export function Banners() {
  const damaged = problems.value.length;
  return (
    <div class="banners" role="status">
      {connection.value === "cut" && <p class="banner need">Not connected. The page shows the last known state; reconnecting.</p>}
      {otherVersion.value !== null && (
        <p class="banner">
          The daemon is now tmpm {otherVersion.value}; this page is from tmpm {__TMPM_VERSION__}.{" "}
          <button type="button" class="link" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      )}
      {silentHosts.value.map(({ host, since, reason, sessions }) => (
        <p key={host} class="banner need">
          {oneLine(host)} has not answered for {age(since, now.value)}, so {sessions === 1 ? "a session is" : `${sessions} sessions are`}{" "}
          shown as last seen: {oneLine(reason)}
        </p>
      ))}
      {damaged > 0 && (
        <p class="banner">
          {damaged === 1 ? "A record" : `${damaged} records`} cannot be read: <code>tmpm ls</code> shows which and why.
        </p>
      )}
    </div>
  );
}
