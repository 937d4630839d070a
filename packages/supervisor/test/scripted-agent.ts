import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AgentAdapter, agentText, claude } from "@tmpm/agents";

/** What the scripted agent does. Times in ms; left out, it starts at once and takes everything at once. */
export interface ScriptedBehaviour {
  /** It reads its terminal only after this time. */
  readonly mountMs?: number;
  /** Its input shows before it is read. */
  readonly paintFirst?: boolean;
  /** It never reads and never draws. */
  readonly never?: boolean;
  /** It shows a dialog until Enter. */
  readonly dialog?: boolean;
  /** A person's text is in its input. */
  readonly draft?: string;
  /** Number of Enters that are lost, at first or for every prompt. */
  readonly swallow?: number;
  readonly swallowEach?: number;
  /** An Enter that comes this soon after a paste is lost. */
  readonly dropEnterMs?: number;
  /** It draws this late. */
  readonly echoMs?: number;
  /** It works this long on every prompt. */
  readonly workMs?: number;
  /** Whether it asks for bracketed paste. */
  readonly framed?: boolean;
}

export interface ScriptedAgent {
  /** The file with its behaviour; the adapter takes it as `argv`. */
  readonly path: string;
  /** The digests of the prompts it took, in their order. */
  taken(): Promise<readonly { readonly sha256: string; readonly bytes: number }[]>;
}

export const SCRIPTED_PROGRAM = join(import.meta.dirname, "agents", "scripted-agent.mjs");

/** Describes an agent in a folder of its own. */
export async function scriptedAgent(folder: string, behaviour: ScriptedBehaviour): Promise<ScriptedAgent> {
  const path = join(folder, "agent.json");
  const log = join(folder, "taken.jsonl");
  await writeFile(log, "");
  await writeFile(path, JSON.stringify({ ...behaviour, log }));
  return {
    path,
    async taken() {
      const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
      return lines.map((line): { sha256: string; bytes: number } => JSON.parse(line));
    },
  };
}

/** It draws as Claude Code does, and is read as that. */
export const scripted: AgentAdapter = {
  ...claude,
  id: "scripted",
  title: "Scripted",
  limits: { promptInArgv: 0, queuesWhileWorking: true, alters: null },
  text: agentText({ refuses: () => null, guards: [], alters: [] }),
  detect: async () => ({ installed: true, path: SCRIPTED_PROGRAM, version: null }),
  launch: async ({ config, newId }) => ({
    argv: [process.execPath, SCRIPTED_PROGRAM, ...(config.argv ?? [])],
    env: {},
    conversationId: newId(),
    carriesPrompt: false,
  }),
  quit: null,
  hooks: null,
  seed: null,
};
