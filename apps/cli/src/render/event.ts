import type { EventAnswer } from "@tmpm/api";
import type { Event, EventType } from "@tmpm/core";
import type { View } from "../context.js";
import { age } from "./age.js";
import { cellWidth, cutTo } from "./cell-width.js";
import { facts } from "./facts.js";
import { clip, oneLine } from "./one-line.js";
import { NO_TERMINAL } from "./terminal-view.js";
import { allTokens, tokensText } from "./tokens.js";

type Of<T extends EventType> = Extract<Event, { readonly type: T }>;

/** Maximum length of an event's text in a terminal. */
const MOST = 200;
/** Width of a name, in cells. */
const [NAME, USUAL_NAME, MOST_NAME] = [10, 16, 24];
const NARROW = 60;

/** Each event as text, to follow the session's name. */
const WORDS: { readonly [T in EventType]: (event: Of<T>) => string } = {
  session_created: ({ agent }) => `created, agent ${agent}`,
  session_state_changed: ({ from, to, cause }) => `${from} became ${to}${to === "stopped" ? inBrackets(cause) : ""}`,
  session_activity_changed: ({ activity }) => spaced(activity.state),
  session_renamed: ({ from, to }) => `renamed from ${from} to ${to}`,
  session_adopted: ({ tmux_name }) => `adopted${tmux_name === null ? "" : `, tmux session ${tmux_name}`}`,
  session_discovered: ({ name, server, pid }) => `found ${name}${after(" on ", server)}${after(", pid ", pid)}`,
  session_exited: ({ status, signal, last_line }) => `its program ended${ending({ status, signal })}${after(": ", last_line)}`,
  session_stopped: ({ cause, survivors = [] }) =>
    `stopped${inBrackets(cause)}${survivors.length === 0 ? "" : `; these processes did not end: ${survivors.join(", ")}`}`,
  session_resumed: ({ conversation_id }) => `resumed${conversation_id === null ? "" : " with its conversation"}`,
  session_conversation_changed: ({ reason }) =>
    reason === "not_resumed" ? "could not resume its conversation; a new one was started" : "started another conversation",
  session_edited: ({ fields }) => `${fields.join(", ")} set`,
  session_overwritten: ({ path }) => `another program overwrote a change to its record; both versions are in ${path}`,
  session_paused: ({ summary }) => `paused${after(": ", summary)}`,
  session_unpaused: () => "continues after its pause",
  session_archived: () => "archived",
  session_reactivated: () => "reactivated",
  session_removed: ({ workspace_removed }) => `removed${workspace_removed ? ", with its workspace" : ""}`,
  session_deleted: ({ tmux_session_alive }) => `deleted${tmux_session_alive === true ? "; its tmux session keeps running" : ""}`,
  session_finished: ({ how, ref, to }) => `finished by ${how}: ${ref.replace(/^refs\/heads\//, "")} is at ${to.slice(0, 12)}`,
  session_checked: ({ failure }) => (failure === null ? "its check passed" : `its check failed: ${failure}`),
  session_picked: ({ group, rest }) => `picked from group ${group}; ${rest.length} ${rest.length === 1 ? "other" : "others"} removed`,
  pull_request_opened: ({ number, url, existed }) => `pull request ${number} ${existed ? "updated" : "opened"}: ${url}`,
  pull_request_news: ({ number, kind, title, author, edited }) =>
    `pull request ${number}: ${edited ? "edited " : ""}${spaced(kind)}${title === "" ? "" : ` ${title}`}${author === null ? "" : ` by ${author}`}`,
  session_undone: ({ to }) => `restored, ${to}`,
  session_text_sent: ({ bytes, outcome }) => `${bytes} bytes sent: ${spaced(outcome)}`,
  comment_added: ({ path, line, side }) => `comment on ${path}:${line}${side === "old" ? " (old)" : ""}`,
  comments_dropped: ({ count }) => `${count} ${count === 1 ? "comment" : "comments"} removed`,
  comments_sent: ({ count }) => `${count} ${count === 1 ? "comment" : "comments"} sent`,
  decision_opened: ({ question }) => `asks: ${question}`,
  decision_answered: ({ answer }) => `answered${after(": ", answer)}`,
  question_asked: ({ question }) => `asks the user: ${question}`,
  question_answered: ({ by }) => `its question was answered${by === null ? "" : " by another session"}`,
  question_withdrawn: () => "withdrew its question",
  session_reported: ({ kind }) => REPORTED[kind],
  thought_updated: ({ thought, rest_state }) => `${spaced(rest_state)}${after(": ", thought)}`,
  turn_queued: ({ waiting }) => `prompt accepted, ${waiting} ${waiting === 1 ? "waits" : "wait"}`,
  turn_started: () => "turn started",
  turn_waiting: () => "turn waits for an answer",
  turn_ended: ({ outcome, cause, code = null }) => `turn ${spaced(outcome)}${inBrackets(cause ?? code)}`,
  usage_counted: ({ used, total }) => `used ${tokensText(allTokens(used))} tokens, ${tokensText(allTokens(total))} so far`,
  budget_reached: ({ scope = "session", budget, percent, used, limit }) =>
    `${percent === 100 ? "used up" : `used ${percent} % of`} ${BUDGETS[scope]}: ${tokensText(used)} of ${tokensText(limit)} ${budget}`,
  workspace_progress: ({ step }) => `making its workspace: ${step}`,
  workspace_created: ({ path, branch }) => `workspace ${path} made${after(", branch ", branch)}`,
  workspace_set_up: ({ failed }) => (failed === null ? "workspace set up" : `set-up failed: ${failed}`),
  workspace_torn_down: ({ failed }) => (failed === null ? "workspace torn down" : `teardown failed: ${failed}`),
  workspace_removed: ({ path, trash_path }) => `workspace ${path} removed${after(", now at ", trash_path)}`,
  reconcile_finished: ({ live, changed, unknown, adopted, discovered }) =>
    `reconciled: ${live} live, ${changed} changed, ${unknown} unknown, ${adopted} adopted, ${discovered} found`,
  observer_suspected: ({ affected, total }) => `${affected} of ${total} sessions seemed gone at once; nothing was changed`,
  auto_resume_parked: ({ deaths }) => `no longer resumed automatically, after it ended ${deaths} times`,
  operation_started: ({ route }) => `${spaced(route)} continues in the background`,
  operation_ended: ({ route, outcome, code }) => `${spaced(route)} ${spaced(outcome)}${inBrackets(code)}`,
  notified: ({ title, channels }) => `notified: ${title}${inBrackets(channels.length === 0 ? null : channels.join(", "))}`,
  events_lost: ({ count }) => `${count} events could not be recorded`,
};

const BUDGETS = { session: "its budget", lineage: "the budget of its lineage", project: "the budget of its project" } as const;

const REPORTED: Readonly<Record<Of<"session_reported">["kind"], string>> = {
  done: "reports that it is done",
  blocked: "reports that it cannot continue",
  note: "reports a note",
};

/** Every type of event that this version knows. */
export const EVENT_TYPES: readonly string[] = Object.keys(WORDS);

export interface EventView extends Pick<View, "now" | "terminal"> {
  /** The name of the event's session; null if unknown or none. */
  readonly name: string | null;
}

/** An event: its age, its session, and what happened; in a pipe one untruncated line. */
export function renderEvent(event: EventAnswer, { now, name, terminal = NO_TERMINAL }: EventView): string {
  const when = typeof event.at === "string" ? age(event.at, now) : "?";
  const who = name ?? event.session_id?.slice(0, 8) ?? "-";
  const reason = typeof event.reason === "string" ? ` [${spaced(event.reason)}]` : "";
  const what = terminal.columns === null ? words(event) : clip(oneLine(words(event)), MOST);
  return facts([[when.padStart(4), wide(oneLine(who), terminal.columns), `${what}${reason}`]], { terminal });
}

/** Padded to the width of most names; longer ones are cut in a terminal. */
function wide(who: string, columns: number | null): string {
  const name = columns === null ? who : cutTo(who, { cells: columns < NARROW ? NAME : MOST_NAME, mark: "…" });
  return name + " ".repeat(Math.max(0, (columns !== null && columns < NARROW ? NAME : USUAL_NAME) - cellWidth(name)));
}

function words(event: EventAnswer): string {
  if (event.type === "damaged") return "an unreadable event";
  if (!isKnown(event)) return spaced(event.type);
  // The table's type cannot express that the entry fits an event of variable type.
  const say = WORDS[event.type] as (event: Event) => string;
  return say(event);
}

function isKnown(event: EventAnswer): event is Event {
  return Object.hasOwn(WORDS, event.type);
}

function ending({ status, signal }: Pick<Of<"session_exited">, "status" | "signal">): string {
  if (signal !== null) return ` by signal ${signal}`;
  return status === null ? "" : ` with status ${status}`;
}

function after(words: string, value: string | number | null): string {
  return value === null ? "" : `${words}${value}`;
}

function inBrackets(word: string | null): string {
  return word === null ? "" : ` (${spaced(word)})`;
}

function spaced(word: string): string {
  return word.replaceAll("_", " ");
}
