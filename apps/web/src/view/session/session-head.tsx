import type { SessionAnswer } from "@tmpm/api";
import { standing, standingText } from "@tmpm/api/standing";
import { now } from "../../state/clock.js";
import { hashOf } from "../../state/route.js";
import { age } from "../../words/age.js";
import { shortPath } from "../../words/session-words.js";
import { oneLine } from "../../words/shown.js";
import { TONE_CLASS } from "../tone.js";

/** What it is, how it stands, since when, and how that is known. */
export function SessionHead({ session }: { readonly session: SessionAnswer }) {
  const { name, activity, agent, cwd, branch } = session;
  const { sign, tone } = standing(session);
  return (
    <div class="head">
      <a class="back" href={hashOf({ page: "list" })} aria-label="All sessions">
        ←
      </a>
      <h1>{oneLine(name)}</h1>
      <p class={`standing ${TONE_CLASS[tone]}`}>
        <span aria-hidden="true">{sign}</span> {standingText(session)}
      </p>
      <p class="facts">
        for {age(activity.since, now.value)}, by {activity.source} ({Math.round(activity.confidence * 100)} %) · {oneLine(agent)} ·{" "}
        <span title={oneLine(cwd)}>{shortPath(cwd)}</span>
        {branch !== null && ` · ${oneLine(branch)}`}
      </p>
    </div>
  );
}
