import type * as z from "zod";
import { type Fields, fieldsOf, without } from "../fields.js";
import type { AoAgentConfig } from "./agent-config.js";

type Word = z.infer<typeof AoAgentConfig>["permissions"];

/** Each agent's word for an ao-rs permission (ao-rs 1.5); null is the agent's default, and an agent missing here has no words for them. */
const WORDS: Readonly<Record<string, Readonly<Record<Word, string | null>>>> = {
  claude: { permissionless: "bypassPermissions", default: "default", "auto-edit": "acceptEdits", suggest: "plan" },
  codex: { permissionless: "danger-full-access", default: null, "auto-edit": "workspace-write", suggest: "read-only" },
  gemini: { permissionless: "yolo", default: "default", "auto-edit": "auto_edit", suggest: "plan" },
};

/** The agent's word for an ao-rs permission; undefined for its default, or if it has no word. */
export function permissionsFromAo(agent: string, theirs: unknown): string | undefined {
  return wordsOf(agent).find(([word]) => word === theirs)?.[1] ?? undefined;
}

/** The ao-rs word for an agent's permission; undefined if there is none. */
export function permissionsToAo(agent: string, ours: string): Word | undefined {
  return wordsOf(agent).find(([, word]) => word === ours)?.[0];
}

/** An ao-rs agent configuration with tmpm's permission; without one if the agent has no equivalent. */
export function configFromAo(agent: string, config: Fields): Fields {
  const permissions = permissionsFromAo(agent, config.permissions);
  return { ...without(config, ["permissions"]), ...(permissions === undefined ? {} : { permissions }) };
}

/** The ao-rs word as read, while the agent still launches with it; else the word for ours, or the default if there is none. */
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
  // The table has exactly these words.
  return words === undefined ? [] : (Object.entries(words) as readonly [Word, string | null][]);
}
