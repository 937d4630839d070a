import type { FleetSession } from "@tmpm/api";
import { standing } from "../render/standing.js";
import { nextView } from "./filter.js";
import type { Command } from "./keys.js";
import { layout } from "./layout.js";
import type { Effect } from "./message.js";
import { moved, scrolledBy } from "./moving.js";
import { type Mode, type Named, selectedSession, type TopState } from "./state.js";
import { named, type Step, still } from "./step.js";

const SCREEN_LINES = 5;

/** Executes a key of the list. Without a session, keys that need one show a notice. */
export function obey(state: TopState, command: Command): Step {
  switch (command) {
    case "up":
      return still(moved(state, -1));
    case "down":
      return still(moved(state, 1));
    case "page_up":
      return still(moved(state, -layout(state, 2).list.rows));
    case "page_down":
      return still(moved(state, layout(state, 2).list.rows));
    case "first":
      return still(moved(state, Number.NEGATIVE_INFINITY));
    case "last":
      return still(moved(state, Number.POSITIVE_INFINITY));
    case "screen_up":
      return still(scrolledBy(state, SCREEN_LINES));
    case "screen_down":
      return still(scrolledBy(state, -SCREEN_LINES));
    case "view":
      return still({ ...state, view: nextView(state.view) });
    case "tree":
      return still({ ...state, tree: !state.tree });
    case "by_node":
      return still({ ...state, byNode: !state.byNode });
    case "clear":
      return still({ ...state, filter: "", found: null });
    case "filter":
      return still({ ...state, mode: { kind: "filter", before: state.filter } });
    case "search":
      return still({ ...state, mode: { kind: "search" } });
    case "help":
      return still({ ...state, mode: { kind: "help", from: 0 } });
    case "quit":
    case "redraw":
    case "suspend":
      return { state, effects: [{ kind: command }] };
    default:
      return withSession(state, command);
  }
}

type OfSession = "attach" | "send" | "approve" | "deny" | "stop" | "resume" | "changes";

function withSession(state: TopState, command: OfSession): Step {
  const session = selectedSession(state);
  if (session === null) return noted(state, "no session is selected");
  const silence = session.node === null ? undefined : state.silent.get(session.node);
  if (silence !== undefined) return noted(state, `${session.node} does not answer: ${silence.reason}`);
  const { name } = standing(session);
  if (command === "resume") {
    const can = name === "stopped" || name === "failed" || name === "paused";
    return can ? acts(state, { kind: "resume", session: named(session) }) : noted(state, `${session.name} is running: nothing to resume`);
  }
  if (command === "approve" || command === "deny") return decided(state, { session, kind: command });
  if (command === "changes") return compared(state, named(session));
  if (session.state !== "active") return noted(state, `${session.name} is not running; r resumes it`);
  if (command === "attach") return acts(state, { kind: "attach", session: named(session) });
  return command === "send" ? asks(state, { kind: "send", to: named(session) }) : asks(state, { kind: "stop", session: named(session) });
}

function compared(state: TopState, session: Named): Step {
  return {
    state: { ...state, mode: { kind: "changes", session, loaded: { kind: "loading" }, at: 0 } },
    effects: [{ kind: "changes", session }],
  };
}

/** Bound to the displayed request: the daemon refuses it for any other. */
function decided(state: TopState, { session, kind }: { readonly session: FleetSession; readonly kind: "approve" | "deny" }): Step {
  const { decision } = session;
  if (decision === null) return noted(state, `${session.name} has no request that can be answered from here`);
  if (decision.kind === "question") return noted(state, `${session.name} asks a question: answer it with the number of a choice`);
  return acts(state, { kind: "answer", session: named(session), decision: decision.id, answer: { kind } });
}

function acts(state: TopState, effect: Effect): Step {
  return { state, effects: [effect] };
}

function asks(state: TopState, mode: Mode): Step {
  return still({ ...state, mode });
}

function noted(state: TopState, text: string): Step {
  return still({ ...state, notice: { text, tone: "plain" } });
}
