import type * as z from "zod";
import { type Fields, fieldsOf, without } from "../fields.js";
import type { AoAgentConfig } from "./agent-config.js";

type Word = z.infer<typeof AoAgentConfig>["permissions"];

/** What each agent calls what ao-rs lets it do unasked (ao-rs 1.5); null is its own default, and an agent that is not here has no words for any of them. */
const WORDS: Readonly<Record<string, Readonly<Record<Word, string | null>>>> = {
  claude: { permissionless: "bypassPermissions", default: "default", "auto-edit": "acceptEdits", suggest: "plan" },
  codex: { permissionless: "danger-full-access", default: null, "auto-edit": "workspace-write", suggest: "read-only" },
  gemini: { permissionless: "yolo", default: "default", "auto-edit": "auto_edit", suggest: "plan" },
};

/** The agent's word for theirs; undefined for what is its own default, or has no word there. */
export function permissionsFromAo(agent: string, theirs: unknown): string | undefined {
  return wordsOf(agent).find(([word]) => word === theirs)?.[1] ?? undefined;
}

/** Their word for the agent's; undefined where they have none. */
export function permissionsToAo(agent: string, ours: string): Word | undefined {
  return wordsOf(agent).find(([, word]) => word === ours)?.[0];
}

/** What is passed to the agent: everything but a word that it does not know. */
export function configFromAo(agent: string, config: Fields): Fields {
  const permissions = permissionsFromAo(agent, config.permissions);
  return { ...without(config, ["permissions"]), ...(permissions === undefined ? {} : { permissions }) };
}

/** Their word as it was read, while the agent is still launched as it says; else theirs for ours, or what is usual where they have none. */
export function permissionsWritten({
  agent,
  ours,
  known,
}: {
  readonly agent: string;
  readonly ours: unknown;
  readonly known: unknown;
}): string {
  const { permissions: theirs } = fieldsOf(known);
  if (typeof theirs === "string" && permissionsFromAo(agent, theirs) === ours) return theirs;
  return (typeof ours === "string" ? permissionsToAo(agent, ours) : undefined) ?? "default";
}

function wordsOf(agent: string): readonly (readonly [Word, string | null])[] {
  const words = WORDS[agent];
  // The table names every word, and no other.
  return words === undefined ? [] : (Object.entries(words) as readonly [Word, string | null][]);
}
