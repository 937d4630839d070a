import type { SessionAnswer } from "@tmpm/api";
import { isListed } from "../../state/sessions.js";
import { Reading } from "./reading.js";
import { SessionHead } from "./session-head.js";

export interface SessionPageProps {
  readonly id: string;
  readonly view: "reading" | "terminal" | null;
  /** Null when the daemon lists none of that id. */
  readonly session: SessionAnswer | null;
}

export function SessionPage({ session }: SessionPageProps) {
  if (session === null) return <main class="pane nothing">{isListed.value ? "There is no such session any more." : "Looking…"}</main>;
  return (
    <main class="pane session" aria-label={session.name}>
      <SessionHead session={session} />
      <Reading session={session} />
    </main>
  );
}
