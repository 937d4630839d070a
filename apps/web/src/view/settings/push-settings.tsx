import type { PushAnswer } from "@tmpm/api";
import { useEffect, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { now } from "../../state/clock.js";
import { mayChange } from "../../state/me.js";
import { say } from "../../state/notices.js";
import { hasSubscription, turnOffPush, turnOnPush, whyNoPush } from "../../state/push.js";
import { age } from "../../words/age.js";
import { failureText } from "../../words/failure-words.js";
import { oneLine } from "../../words/shown.js";

const SHOWN = 10;

/** Notifications to this browser and their outcomes: accepted by the push service, or why not sent. */
export function PushSettings() {
  const [push, setPush] = useState<PushAnswer | null>(null);
  const [kept, setKept] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void act(() => tmpm.push());
  }, []);
  async function act(run: () => Promise<PushAnswer>): Promise<void> {
    setBusy(true);
    try {
      const answer = await run();
      setKept(await hasSubscription(answer.public_key));
      setPush(answer);
    } catch (error) {
      say(failureText(error), { tone: "error" });
    } finally {
      setBusy(false);
    }
  }
  if (push === null) return null;
  const { public_key, ledger } = push;
  const subscribed = push.subscribed && kept;
  const why = whyNoPush();
  return (
    <section>
      <h2>Notifications to this browser</h2>
      <p class="soft">
        {subscribed
          ? "This browser is notified when a session needs you, finishes or fails, unless this page is in view."
          : (why ??
            `${push.subscribed ? "The subscription of this browser has ended. Turn notifications on again." : "This browser is not notified."} A notification contains only the session’s name and the event.`)}
      </p>
      {mayChange.value && (
        <p class="settings-tools">
          {subscribed ? (
            <>
              <button type="button" class="button" disabled={busy} onClick={() => void act(() => tmpm.testPush())}>
                Send a test
              </button>
              <button type="button" class="button" disabled={busy} onClick={() => void act(turnOffPush)}>
                Turn off
              </button>
            </>
          ) : (
            <button type="button" class="button" disabled={busy || why !== null} onClick={() => void act(() => turnOnPush(public_key))}>
              Turn on
            </button>
          )}
        </p>
      )}
      {ledger.length > 0 && (
        <ul class="ledger">
          {ledger.slice(0, SHOWN).map(({ at, device, title, outcome, reason }) => (
            <li key={`${at}${device}${title}`}>
              {oneLine(title)}
              <span class="soft">
                {" "}
                · {oneLine(device)} · {outcome}
                {reason !== null && `: ${oneLine(reason)}`} · {age(at, now.value)} ago
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
