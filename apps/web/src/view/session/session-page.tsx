import type { SessionAnswer } from "@tmpm/api";
import { useState } from "preact/hooks";
import { isPhone, listBeside, toggleList } from "../../state/layout.js";
import { mayChange } from "../../state/me.js";
import { hashOf, type SessionView, shownView } from "../../state/route.js";
import { isListed, requestsOf } from "../../state/sessions.js";
import { uploadFiles } from "../../state/upload-files.js";
import { hasTerminal, isLive } from "../../words/session-words.js";
import { LazyTerminal } from "../terminal/lazy-terminal.js";
import { Composer } from "./composer.js";
import { KeyBar } from "./key-bar.js";
import { LazyChanges } from "./lazy-changes.js";
import { Reading } from "./reading.js";
import { keyOf, RequestCard } from "./request-card.js";
import { SessionHead } from "./session-head.js";
import { Turns } from "./turns.js";
import { Why } from "./why.js";

export interface SessionPageProps {
  readonly id: string;
  /** Null for the device's default: text on a touch screen, a terminal on a desktop. */
  readonly view: SessionView | null;
  /** Null if the daemon does not list a session with that id. */
  readonly session: SessionAnswer | null;
}

const VIEWS: readonly { readonly view: SessionView; readonly title: string }[] = [
  { view: "reading", title: "Reading" },
  { view: "terminal", title: "Terminal" },
  { view: "changes", title: "Changes" },
];

type Beside = "turns" | "why" | null;

export function SessionPage({ id, view, session }: SessionPageProps) {
  const [beside, setBeside] = useState<Beside>(null);
  if (session === null) {
    return (
      <main class="pane nothing">
        {isListed.value ? "This session no longer exists." : "Looking…"} <a href={hashOf({ page: "list" })}>All sessions</a>
      </main>
    );
  }
  const live = isLive(session);
  const terminal = hasTerminal(session);
  const at = shownView(view, { isPhone: isPhone.value, terminal });
  const toggle = (which: NonNullable<Beside>) => setBeside(beside === which ? null : which);
  return (
    <main
      class="pane session"
      aria-label={session.name}
      tabIndex={-1}
      onDrop={({ dataTransfer }) => {
        if (mayChange.value && live) void uploadFiles(id, dataTransfer?.files ?? []);
      }}
    >
      <SessionHead session={session} />
      <div class="views">
        <nav class="segments" aria-label="View">
          {VIEWS.filter(({ view: each }) => terminal || each !== "terminal").map(({ view: each, title }) => (
            <a key={each} class="button" href={hashOf({ page: "session", id, view: each })} aria-current={at === each ? "true" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <button type="button" class="button quiet" aria-pressed={beside === "turns"} onClick={() => toggle("turns")}>
          Turns{session.queued > 0 ? ` and queue (${session.queued})` : ""}
        </button>
        <button type="button" id="why" class="button quiet" aria-pressed={beside === "why"} onClick={() => toggle("why")}>
          Why
        </button>
        {!isPhone.value && (
          <button type="button" class="button quiet last" onClick={toggleList}>
            {listBeside.value === "shown" ? "Hide the list" : "Show the list"}
          </button>
        )}
      </div>
      <div class="requests">
        {requestsOf(session).map((request) => (
          <RequestCard key={keyOf(request)} request={request} />
        ))}
      </div>
      <div class={beside === null ? "look" : "look with-aside"}>
        {at === "terminal" && <LazyTerminal session={session} />}
        {at === "reading" && <Reading session={session} />}
        {at === "changes" && <LazyChanges session={session} />}
        {beside === "turns" && <Turns session={session} />}
        {beside === "why" && <Why session={session} />}
      </div>
      {mayChange.value && live && (
        <div class="foot">
          {isPhone.value && terminal && <KeyBar session={session.id} />}
          <Composer key={id} session={session} />
        </div>
      )}
    </main>
  );
}
