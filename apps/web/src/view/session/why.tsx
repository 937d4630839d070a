import type { SessionAnswer, WhyAnswer } from "@tmpm/api";
import { useEffect, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { now } from "../../state/clock.js";
import { age } from "../../words/age.js";
import { failureText } from "../../words/failure-words.js";
import { oneLine } from "../../words/shown.js";

/** The activity, its evidence, and what would change it. */
export function Why({ session }: { readonly session: SessionAnswer }) {
  const [why, setWhy] = useState<WhyAnswer | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { id, activity } = session;
  useEffect(() => {
    const leave = new AbortController();
    tmpm.why({ session: id }, { signal: leave.signal }).then(
      (answer) => {
        setWhy(answer);
        setFailure(null);
      },
      (error: unknown) => {
        if (!leave.signal.aborted) setFailure(failureText(error));
      },
    );
    return () => leave.abort();
  }, [id, activity.state, activity.observed_at]);
  if (failure !== null) return <aside class="beside-look error">{failure}</aside>;
  if (why === null) return <aside class="beside-look soft">Looking…</aside>;
  const { evidence, would_change, hooks } = why;
  return (
    <aside class="beside-look" aria-label="Why">
      <h2>Why “{activity.state.replaceAll("_", " ")}”</h2>
      <ul class="evidence">
        {evidence.map(({ source, what, state, weight, last_at, decides }) => (
          <li key={`${source}:${what}`} class={decides ? "decides" : undefined}>
            <p>{oneLine(what)}</p>
            <p class="soft">
              {decides ? "decides · " : ""}
              {source}
              {state === null ? "" : ` says ${state.replaceAll("_", " ")}`} · weight {weight.toFixed(2)} · {age(last_at, now.value)} ago
            </p>
          </li>
        ))}
      </ul>
      <h2>What would change it</h2>
      <ul class="plain-list">
        {would_change.map((line) => (
          <li key={line}>{oneLine(line)}</li>
        ))}
      </ul>
      <p class="soft">{hooksLine(hooks, now.value)}</p>
    </aside>
  );
}

function hooksLine({ supported, heard_at }: WhyAnswer["hooks"], at: number): string {
  if (!supported) return "This agent reports no events.";
  return heard_at === null ? "The agent has reported nothing to this daemon yet." : `The agent last reported ${age(heard_at, at)} ago.`;
}
