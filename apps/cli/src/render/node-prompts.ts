import type { NodePrompt, NodePromptList } from "@tmpm/api";
import type { View } from "../context.js";
import { age } from "./age.js";
import { clock } from "./fleet.js";
import { oneLine } from "./one-line.js";
import { table } from "./table.js";

const HEAD = ["ID", "SESSION", "STATE", "AGE", "EXPIRES", "PROMPT"];

export function renderNodePrompts({ prompts }: NodePromptList, view: View): string {
  if (prompts.length === 0) return "";
  const rows = prompts.map((prompt) => [
    shortId(prompt),
    addressOf(prompt),
    prompt.state,
    age(prompt.created_at, view.now),
    clock(prompt.expires_at),
    oneLine(prompt.reason === null ? prompt.prompt : `${prompt.reason}: ${prompt.prompt}`),
  ]);
  return table({ head: HEAD, rows, spare: [5, 1], room: 24 }, view);
}

/** One line with the outcome. */
export function nodePromptLine(prompt: NodePrompt): string {
  const { state, turn, reason, expires_at } = prompt;
  const name = addressOf(prompt);
  if (state === "sent") return oneLine(`${name}: queued as turn ${turn?.slice(0, 8)}`);
  if (state === "waiting" || state === "sending") return oneLine(`${name}: ${state}, until ${clock(expires_at)}`);
  return oneLine(`${name}: ${state}${reason === null ? "" : `: ${reason}`}`);
}

export function nodePromptNotes(prompt: NodePrompt): readonly string[] {
  const { state, node, reason } = prompt;
  if (state === "waiting") return [`it waits for ${node}; \`tmpm nodes cancel ${shortId(prompt)}\` cancels it`];
  if (state === "sending") return [oneLine(`${node} did not confirm it (${reason ?? "no answer"}); it is tried again with the same key`)];
  return [];
}

export function nodePromptExit({ state }: NodePrompt): number {
  if (state === "unknown") return 7;
  return state === "failed" || state === "expired" ? 1 : 0;
}

function shortId({ id }: NodePrompt): string {
  return id.slice(0, 8);
}

function addressOf({ node, session }: NodePrompt): string {
  return `${node}:${session}`;
}
