import type { FleetPart, FleetSession } from "@tmpm/api";
import { standing, standingText, waitsSince } from "@tmpm/api/standing";
import { now } from "../state/clock.js";
import { rowForm } from "../state/layout.js";
import { age } from "../words/age.js";
import { about, where } from "../words/session-words.js";
import { oneLine } from "../words/shown.js";
import { TONE_CLASS } from "./tone.js";

/** A session of another machine, without a link, because it can only be acted on from a terminal. */
export function OtherRow({ session }: { readonly session: FleetSession }) {
  const { name, node, was } = session;
  const since = waitsSince(session);
  const { sign, tone } = standing(session);
  const address = `${node}:${name}`;
  const columns = rowForm.value === "columns";
  const state = <span class={columns ? `state ${TONE_CLASS[tone]}` : TONE_CLASS[tone]}>{standingText(session)}</span>;
  return (
    <div class="row other" data-session={address} data-stale={was === null ? undefined : "true"} title={`tmpm attach ${oneLine(address)}`}>
      <span class={`sign ${TONE_CLASS[tone]}`} aria-hidden="true">
        {sign}
      </span>
      <span class="name">{oneLine(address)}</span>
      {columns && state}
      <span class="about">
        {!columns && state}
        {!columns && about(session) !== "" && " · "}
        {about(session)}
      </span>
      <span class="meta">{where(session)}</span>
      <time class="age" dateTime={since}>
        {age(since, now.value)}
      </time>
    </div>
  );
}

/** The heading of a machine's sessions, with the reason if it does not answer. */
export function OtherTitle({ part, count }: { readonly part: FleetPart & { readonly node: string }; readonly count: number }) {
  const { node, complete, reason, as_of, presence } = part;
  return (
    <h2 class="group" data-node={node}>
      {node} <span class="count">{count}</span>
      {!complete && (
        <span class="silent">
          {presence === "online" ? "incomplete" : "does not answer"}
          {as_of === null ? "" : `, shown as of ${age(as_of, now.value)} ago`}: {oneLine(reason ?? "unknown reason")}
        </span>
      )}
    </h2>
  );
}
