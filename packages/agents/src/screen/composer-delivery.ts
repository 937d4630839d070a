import type { AgentAdapter, Observation, Reading } from "../adapter.js";
import { type Shown, shownOf, showsEnd } from "./shows-text.js";

export interface ComposerAgent {
  readonly title: string;
  readonly read: (screen: Observation) => Reading;
  /** The placeholder of a long paste in the input. Global, and matched at each occurrence. */
  readonly placeholder: RegExp;
  /** Whether a placeholder's count fits this text; any does when undefined. */
  readonly counts?: (placeholder: string, text: string) => boolean;
  /** The input's form of parts of the text, once the cursor has left them. */
  readonly drawn?: (text: string) => string;
}

/** An adapter's evidence for a text under delivery, for an agent with a visible input. */
export function composerDelivery(agent: ComposerAgent): Pick<AgentAdapter, "arrived" | "mixed" | "submitted"> {
  return {
    arrived: ({ before, now, text }) => arrived(seen(agent, { before: agent.read(before), now: agent.read(now), text })),
    mixed: ({ before, now, text }) => mixed(seen(agent, { before: agent.read(before), now: agent.read(now), text })),
    submitted: ({ typed, now, text }) => submitted(agent, { was: agent.read(typed), is: agent.read(now), text }),
  };
}

interface Seen {
  readonly shown: Shown;
  /** A placeholder stands for the text, or for a counted part of it. */
  readonly replaced: "all" | "part" | null;
}

function seen(
  { placeholder, counts = () => true, drawn }: ComposerAgent,
  { before, now, text }: { readonly before: Reading; readonly now: Reading; readonly text: string },
): Seen {
  const was = before.draft ?? "";
  const is = now.draft ?? "";
  if (is === was) return { shown: "nothing", replaced: null };
  const shows = (draft: string) => shownIn(draft, { text, drawn });
  const whole = shows(is);
  const placeholders = is.match(placeholder) ?? [];
  // A text may contain a placeholder's words itself.
  if (whole === "all" || placeholders.length <= (was.match(placeholder)?.length ?? 0)) return { shown: whole, replaced: null };
  const replaced = placeholders.some((each) => counts(each, text)) ? "all" : "part";
  return { shown: shows(is.replace(placeholder, "")), replaced };
}

/** As typed, or as drawn. */
function shownIn(draft: string, { text, drawn }: { readonly text: string; readonly drawn: ComposerAgent["drawn"] | undefined }): Shown {
  const asTyped = shownOf(draft, text);
  const asDrawn = asTyped === "all" || drawn === undefined ? asTyped : shownOf(draft, drawn(text));
  return asDrawn === "other" ? asTyped : asDrawn;
}

function arrived({ shown, replaced }: Seen): string | null {
  if (replaced === "all") return shown === "other" ? null : "the input shows a placeholder for the pasted text";
  return replaced === null && shown === "all" ? "the input shows the text" : null;
}

function mixed({ shown }: Seen): string | null {
  return shown === "other" ? "the input shows other text as well" : null;
}

interface Left {
  readonly was: Reading;
  readonly is: Reading;
  readonly text: string;
}

/** The input that held the text no longer does, or is gone because the agent asks a question or ended. */
function submitted({ title, placeholder, drawn }: ComposerAgent, { was, is, text }: Left): string | null {
  if (is.state === "exited") return was.state === "exited" ? null : `${title} has ended`;
  if (!was.draft) return null;
  if (is.draft === "") return is.state === "working" ? `the input is empty and ${title} works` : "the input is empty again";
  if (is.state === "awaiting_approval" || is.state === "awaiting_input") return `${title} asks a question`;
  if (is.draft === null) return null;
  const holds = is.draft.search(placeholder) >= 0 || shownIn(is.draft, { text, drawn }) !== "other" || showsEnd(is.draft, text);
  return is.state === "working" && !holds ? `${title} works, and its input holds other text` : null;
}
