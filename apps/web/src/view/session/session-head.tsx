import type { SessionAnswer } from "@tmpm/api";
import { standing, standingText } from "@tmpm/api/standing";
import { useEffect, useRef, useState } from "preact/hooks";
import { now } from "../../state/clock.js";
import { mayChange } from "../../state/me.js";
import { hashOf, sessionHash } from "../../state/route.js";
import { requestsOf, sessions } from "../../state/sessions.js";
import { perform, rename, verbsOf } from "../../state/verbs.js";
import { age } from "../../words/age.js";
import { shortPath } from "../../words/session-words.js";
import { oneLine } from "../../words/shown.js";
import { usageLine } from "../../words/usage-words.js";
import { TONE_CLASS } from "../tone.js";

/** Its identity, state, age, evidence and actions. */
export function SessionHead({ session }: { readonly session: SessionAnswer }) {
  const { activity, agent, cwd, branch, hint } = session;
  const { sign, tone } = standing(session);
  const used = usageLine(session);
  const parent = session.spawned_by === null ? undefined : sessions.value.get(session.spawned_by);
  return (
    <div class="head">
      <a class="back" href={hashOf({ page: "list" })} aria-label="All sessions">
        ←
      </a>
      <Name session={session} />
      <p class={`standing ${TONE_CLASS[tone]}`}>
        <span aria-hidden="true">{sign}</span> {standingText(session)}
      </p>
      {mayChange.value && <Verbs session={session} />}
      <p class="facts">
        for {age(activity.since, now.value)}, by {activity.source} ({Math.round(activity.confidence * 100)} %, seen{" "}
        {age(activity.observed_at, now.value)} ago) · {oneLine(agent)} · <span title={oneLine(cwd)}>{shortPath(cwd)}</span>
        {branch !== null && ` · ${oneLine(branch)}`}
        {used !== "" && ` · ${used}`}
        {parent !== undefined && (
          <>
            {" · started by "}
            <a href={sessionHash(parent.id)}>{oneLine(parent.name)}</a>
          </>
        )}
      </p>
      {hint !== null && requestsOf(session).length === 0 && <p class="facts need">{oneLine(hint)}</p>}
    </div>
  );
}

function Name({ session }: { readonly session: SessionAnswer }) {
  const [editing, setEditing] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const isEditing = editing !== null;
  useEffect(() => field.current?.focus(), [isEditing]);
  if (editing === null) {
    return (
      <h1>
        {mayChange.value ? (
          <button type="button" class="title" title="Rename" onClick={() => setEditing(session.name)}>
            {oneLine(session.name)}
          </button>
        ) : (
          oneLine(session.name)
        )}
      </h1>
    );
  }
  return (
    <form
      class="rename"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // Without a target the window lost the focus, or a browser that focuses no buttons pressed one.
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setEditing(null);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        setEditing(null);
        if (editing !== "" && editing !== session.name) void rename(session, editing);
      }}
    >
      <input
        class="field"
        aria-label="Name"
        value={editing}
        ref={field}
        onInput={({ currentTarget }) => setEditing(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === "Escape") setEditing(null);
        }}
      />
      <button type="submit" class="button main">
        Rename
      </button>
    </form>
  );
}

function Verbs({ session }: { readonly session: SessionAnswer }) {
  return (
    <details
      class="menu"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) currentTarget.querySelector("button")?.focus();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        // Only the menu is left, not the session.
        event.stopPropagation();
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary class="button">Actions</summary>
      <ul>
        {verbsOf(session).map(({ name, title, more, danger }) => (
          <li key={name}>
            <button
              type="button"
              class={danger ? "danger" : undefined}
              onClick={({ currentTarget }) => {
                currentTarget.closest("details")?.removeAttribute("open");
                void perform(name, session);
              }}
            >
              <strong>{title}</strong>
              <span class="soft">{more}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
