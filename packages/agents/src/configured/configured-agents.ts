import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasErrno, TmpmError } from "@tmpm/core";
import type { AgentAdapter } from "../adapter.js";
import { agentFromConfig } from "./agent-from-config.js";

export interface ConfiguredAgents {
  readonly agents: readonly AgentAdapter[];
  /** Invalid files, and those with an id in use. */
  readonly problems: readonly { readonly path: string; readonly error: TmpmError }[];
}

/** The agents that a user describes in `*.json` files of a folder, in the order of their names; none without the folder. */
export async function configuredAgents(folder: string, options: { readonly taken: readonly string[] }): Promise<ConfiguredAgents> {
  const taken = new Set(options.taken);
  const agents: AgentAdapter[] = [];
  const problems: { path: string; error: TmpmError }[] = [];
  for (const path of await files(folder)) {
    try {
      const agent = agentFromConfig(JSON.parse(await readFile(path, "utf8")));
      if (taken.has(agent.id)) throw new TmpmError("INVALID_ARGUMENT", `agent '${agent.id}' already exists`);
      taken.add(agent.id);
      agents.push({ ...agent, describedIn: path });
    } catch (error) {
      // One invalid file must not disable the other agents.
      problems.push({ path, error: error instanceof TmpmError ? error : unreadable(error) });
    }
  }
  return { agents, problems };
}

async function files(folder: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return [];
    throw error;
  }
}

function unreadable(cause: unknown): TmpmError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new TmpmError("INVALID_ARGUMENT", `the file cannot be read as JSON: ${message}`, { cause });
}
