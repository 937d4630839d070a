import type { DeviceAnswer } from "@tmpm/api";
import { useEffect, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { now } from "../../state/clock.js";
import { mayChange } from "../../state/me.js";
import { say } from "../../state/notices.js";
import { age } from "../../words/age.js";
import { failureText } from "../../words/failure-words.js";
import { oneLine } from "../../words/shown.js";
import { MAY } from "./may.js";

/** The logged-in browsers. A revoked one is cut off immediately. */
export function Devices() {
  const [devices, setDevices] = useState<readonly DeviceAnswer[]>([]);
  const refused = (error: unknown) => say(failureText(error), { tone: "error" });
  const look = () => tmpm.devices().then((list) => setDevices(list.devices), refused);
  useEffect(() => void look(), []);
  return (
    <section>
      <h2>Devices</h2>
      <ul class="devices">
        {devices.map(({ id, name, scope, last_seen_at, push, current }) => (
          <li key={id}>
            <p>
              <strong>{oneLine(name)}</strong>
              {current && " (this browser)"}
              <span class="soft">
                {" "}
                · {MAY[scope]} · {last_seen_at === null ? "never seen" : `seen ${age(last_seen_at, now.value)} ago`}
                {push && " · notified"}
              </span>
            </p>
            {mayChange.value && (
              <button
                type="button"
                class="button danger"
                aria-label={`${current ? "Log out" : "Revoke"} ${oneLine(name)}`}
                onClick={() => void tmpm.revokeDevice({ device: id }).then(look, refused)}
              >
                {current ? "Log out" : "Revoke"}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
