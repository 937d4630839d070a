import type { SessionAnswer } from "@tmpm/api";
import { standing } from "@tmpm/api/standing";
import { oneLine } from "./shown.js";

/** Why it needs the user, or its last message or task, in one line; empty without any. */
export function about(session: SessionAnswer): string {
  const { decision, activity, hint, last_error, last_lines, task, thought } = session;
  const question = questionOf(session);
  if (decision !== null) return decisionLine(decision);
  if (question !== null) return oneLine(question.question);
  const { name, needsYou } = standing(session);
  if (needsYou) return oneLine(activity.evidence[0] ?? hint ?? "");
  if (hint !== null) return oneLine(hint);
  if (name === "failed" && last_error !== null) return oneLine(last_error.message);
  return oneLine(thought.thought ?? (task || (last_lines.findLast((line) => line.trim() !== "") ?? "")));
}

function decisionLine({ kind, tool, subject }: NonNullable<SessionAnswer["decision"]>): string {
  return kind === "question" ? oneLine(subject) : `asks to use ${oneLine(tool ?? "a tool")}: ${oneLine(subject)}`;
}

/** Its longest-waiting question to the user; null without one. An older daemon does not list questions. */
export function questionOf({ question }: Pick<SessionAnswer, "question">): SessionAnswer["question"] {
  return question ?? null;
}

/** A directory's last two names, enough to distinguish it. */
export function shortPath(path: string): string {
  const names = path.split("/").filter((name) => name !== "");
  return names.length <= 2 ? oneLine(path) : oneLine(names.slice(-2).join("/"));
}

export function where({ agent, cwd, branch }: Pick<SessionAnswer, "agent" | "cwd" | "branch">): string {
  return [agent, shortPath(cwd), ...(branch === null ? [] : [branch])].map(oneLine).join(" · ");
}

export type Section = "Needs you" | "Working" | "Ready" | "Not running";

const SECTIONS: Readonly<Record<string, Section>> = {
  failed: "Not running",
  stopped: "Not running",
  working: "Working",
  starting: "Working",
};

/** Its heading in the list. */
export function sectionOf(session: SessionAnswer): Section {
  const { name, needsYou } = standing(session);
  return needsYou ? "Needs you" : (SECTIONS[name] ?? "Ready");
}

/** Whether its program runs. */
export function isLive({ state }: Pick<SessionAnswer, "state">): boolean {
  return state === "active";
}

/** Whether its program runs in a terminal, which can be watched and typed into. A protocol agent has only a conversation. */
export function hasTerminal({ state, control }: Pick<SessionAnswer, "state" | "control">): boolean {
  return state === "active" && control !== "Sdk";
}
