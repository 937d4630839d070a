import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AgentAdapter, agentText, claude } from "@tmpm/agents";

/** The behaviour of the scripted agent. Times in ms; by default, it starts at once and accepts everything at once. */
export interface ScriptedBehaviour {
  /** It reads its terminal only after this time. */
  readonly mountMs?: number;
  /** Its input appears before it is read. */
  readonly paintFirst?: boolean;
  /** It never reads and never draws. */
  readonly never?: boolean;
  /** It shows a dialog until Enter. */
  readonly dialog?: boolean;
  /** Text of a user is in its input. */
  readonly draft?: string;
  /** Number of Enters that are lost, at first or for every prompt. */
  readonly swallow?: number;
  readonly swallowEach?: number;
  /** An Enter that comes this soon after a paste is lost. */
  readonly dropEnterMs?: number;
  /** Delay of its drawing. */
  readonly echoMs?: number;
  /** Its working time for every prompt. */
  readonly workMs?: number;
  /** Whether it requests bracketed paste. */
  readonly framed?: boolean;
}

export interface ScriptedAgent {
  /** The file with its behaviour; the adapter takes it as `argv`. */
  readonly path: string;
  /** The digests of the accepted prompts, in order. */
  taken(): Promise<readonly { readonly sha256: string; readonly bytes: number }[]>;
}

export const SCRIPTED_PROGRAM = join(import.meta.dirname, "agents", "scripted-agent.mjs");

/** Describes an agent in its own folder. */
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

/** It draws as Claude Code does, and is read with its adapter. */
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
