import type { SessionAnswer } from "@tmpm/api";
import { standing, standingText, waitsSince } from "@tmpm/api/standing";
import { now } from "../state/clock.js";
import { rowForm } from "../state/layout.js";
import { route, sessionHash } from "../state/route.js";
import { foundOnScreens } from "../state/screen-search.js";
import { age } from "../words/age.js";
import { about, where } from "../words/session-words.js";
import { oneLine } from "../words/shown.js";
import { TONE_CLASS } from "./tone.js";

export function SessionRow({ session }: { readonly session: SessionAnswer }) {
  const { id, name, queued } = session;
  const since = waitsSince(session);
  const { sign, tone } = standing(session);
  const onScreen = foundOnScreens.value?.lines.get(id);
  const columns = rowForm.value === "columns";
  const here = route.value.page === "session" && route.value.id === id;
  return (
    <a class="row" href={sessionHash(id)} aria-current={here ? "true" : undefined} data-session={name}>
      <span class={`sign ${TONE_CLASS[tone]}`} aria-hidden="true">
        {sign}
      </span>
      <span class="name">{oneLine(name)}</span>
      {columns && <span class={`state ${TONE_CLASS[tone]}`}>{standingText(session)}</span>}
      <span class="about">
        {!columns && <span class={TONE_CLASS[tone]}>{standingText(session)}</span>}
        {!columns && (about(session) !== "" || queued > 0 || onScreen !== undefined) && " · "}
        {queued > 0 && <span class="queued">{queued} queued</span>}
        {onScreen === undefined ? about(session) : `on its screen: ${onScreen}`}
      </span>
      <span class="meta">{where(session)}</span>
      <time class="age" dateTime={since}>
        {age(since, now.value)}
      </time>
    </a>
  );
}
