import type { AskedAnswer, InboxAnswer } from "@tmpm/api";
import { type Question, type Report, visibleText } from "@tmpm/core";
import type { View } from "../context.js";
import { age } from "./age.js";
import { oneLine } from "./one-line.js";
import { table } from "./table.js";

const ID_LENGTH = 8;

/** A question in one line: `1f2e3d4c 5m ago: Which one? (1 red, 2 blue)`. */
export function questionLine({ id, question, choices, asked_at }: Question, now: number): string {
  const listed = choices.length === 0 ? "" : ` (${choices.map((choice, index) => `${index + 1} ${choice}`).join(", ")})`;
  return oneLine(`${id.slice(0, ID_LENGTH)} ${age(asked_at, now)} ago: ${question}${listed}`);
}

export function questionText({ question, choices }: Question): string {
  const rows = visibleText(question)
    .split("\n")
    .map((row) => `    ${row}`);
  return ["It asks:", ...rows, ...choices.map((choice, index) => `  ${index + 1}. ${oneLine(choice)}`)].join("\n");
}

/** The outcome of a question: its answer, if any. */
export function answerText({ answer, withdrawn_at }: Question): string {
  if (answer !== null) return visibleText(answer.text);
  return withdrawn_at === null ? "" : "withdrawn";
}

const ARRIVES = {
  waiting: "its agent waited for it",
  prompt: "sent as a prompt",
  kept: "kept until it asks again",
} as const;

export function questionAnsweredLine({ session, answer }: AskedAnswer): string {
  return answer === null ? "" : oneLine(`${session}: answered: ${answer.text}; ${ARRIVES[answer.delivery]}`);
}

export function reportLine({ kind, text, artifacts, at }: Report, now: number): string {
  const named = artifacts.length === 0 ? "" : ` [${artifacts.join(", ")}]`;
  return oneLine(`${kind} ${age(at, now)} ago: ${text}${named}`);
}

/** Two tables: questions and reports. Empty without either. */
export function renderInbox({ questions, reports }: InboxAnswer, view: View): string {
  const asked = questions.map((each) => [
    each.session,
    each.id.slice(0, ID_LENGTH),
    age(each.asked_at, view.now),
    stateOf(each),
    asks(each),
  ]);
  const reported = reports.map((each) => [each.session, each.kind, age(each.at, view.now), words(each)]);
  return [
    ...(asked.length === 0
      ? []
      : [table({ head: ["SESSION", "QUESTION", "ASKED", "STATE", "TEXT"], rows: asked, spare: [1], room: 24 }, view)]),
    ...(asked.length === 0 || reported.length === 0 ? [] : [""]),
    ...(reported.length === 0 ? [] : [table({ head: ["SESSION", "REPORT", "MADE", "TEXT"], rows: reported, spare: [2], room: 24 }, view)]),
  ].join("\n");
}

function stateOf({ answer, withdrawn_at }: Question): string {
  return answer !== null ? "answered" : withdrawn_at !== null ? "withdrawn" : "open";
}

function asks({ question, choices }: Question): string {
  return oneLine([question, ...choices.map((choice, index) => `${index + 1}. ${choice}`)].join("  "));
}

function words({ text, artifacts }: Report): string {
  return oneLine(artifacts.length === 0 ? text : `${text} [${artifacts.join(", ")}]`);
}
