import type { NotifyAnswer } from "@tmpm/api";
import { useEffect, useState } from "preact/hooks";
import { tmpm } from "../daemon/tmpm.js";
import { me } from "../state/me.js";
import { say } from "../state/notices.js";
import { hashOf } from "../state/route.js";
import { screenReader } from "../state/screen-reader.js";
import { failureText } from "../words/failure-words.js";
import { oneLine } from "../words/shown.js";
import { Devices } from "./settings/devices.js";
import { MAY } from "./settings/may.js";
import { PushSettings } from "./settings/push-settings.js";

export function Settings() {
  return (
    <main class="pane page" aria-labelledby="settings-title">
      <h1 id="settings-title">Settings</h1>
      <ThisBrowser />
      <PushSettings />
      <Notifications />
      <Devices />
      <section>
        <h2>Terminals</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={screenReader.value === "on"}
            onChange={({ currentTarget }) => {
              screenReader.value = currentTarget.checked ? "on" : "off";
            }}
          />
          <span>Expose terminal text to screen readers</span>
        </label>
      </section>
      <section>
        <h2>Usage</h2>
        <p>
          <a href={hashOf({ page: "usage" })}>Tokens that sessions have used, and their estimated cost</a>
        </p>
      </section>
      <section>
        <h2>About</h2>
        <p class="soft">
          This page is from tmpm {__TMPM_VERSION__}. Its API is described at <a href="./docs">docs</a>.
        </p>
      </section>
    </main>
  );
}

function ThisBrowser() {
  if (me.value === null) return null;
  const { scope, token } = me.value;
  return (
    <section>
      <h2>This browser</h2>
      <p>
        {token === null ? "It" : oneLine(token.name)} {MAY[scope]}.
        {token !== null && token.expires_at !== null && (
          <span class="soft"> Its login is valid until {new Date(token.expires_at).toLocaleDateString()}.</span>
        )}
      </p>
    </section>
  );
}

/** The daemon's notification channels and their outcomes. */
function Notifications() {
  const [notify, setNotify] = useState<NotifyAnswer | null>(null);
  const [busy, setBusy] = useState(false);
  const take = (asked: Promise<NotifyAnswer>) => asked.then(setNotify, (error: unknown) => say(failureText(error), { tone: "error" }));
  useEffect(() => void take(tmpm.notify()), []);
  const wanted = notify?.channels.filter(({ target }) => target !== null) ?? [];
  return (
    <section>
      <h2>Notifications elsewhere</h2>
      {notify !== null && wanted.length === 0 && (
        <p class="soft">
          No channel is enabled. <code>tmpm config set notify.desktop true</code> enables one.
        </p>
      )}
      <ul class="plain-list">
        {wanted.map(({ channel, target, sent, failed, dropped, failure }) => (
          <li key={channel}>
            <strong>{channel}</strong> <span class="soft">{oneLine(target ?? "")}</span>
            <p>
              {sent} sent, {failed} failed, {dropped} dropped since the daemon started
              {failure !== null && <span class="error"> · {oneLine(failure.message)}</span>}
            </p>
          </li>
        ))}
      </ul>
      {notify !== null && notify.quiet_until !== null && (
        <p class="soft">Quiet until {new Date(notify.quiet_until).toLocaleTimeString()}.</p>
      )}
      {wanted.length > 0 && me.value?.scope !== "observer" && (
        <button
          type="button"
          class="button"
          disabled={busy}
          onClick={() => {
            setBusy(true);
            void take(tmpm.testNotify()).then(() => setBusy(false));
          }}
        >
          Send a test
        </button>
      )}
    </section>
  );
}
