import type { CreateBody, ProfileAnswer, ProfileList } from "@tmpm/api";
import { isInteractiveShell } from "@tmpm/core/interactive-shell";

/** The agent that stands for a profile's command. */
export const COMMAND = "command";

export interface Chosen {
  /** Null until chosen; empty for none. */
  readonly profile: string | null;
  /** Empty until chosen; chosen together with the profile. */
  readonly agent: string;
}

/** The profile in effect: the chosen one, by default the configuration's; null for none. */
export function profileOf({ profile }: Pick<Chosen, "profile">, { profiles, default: usual }: ProfileList): ProfileAnswer | null {
  const wanted = profile ?? usual;
  return profiles.find(({ name }) => name === wanted) ?? null;
}

export interface AgentsOffered {
  readonly profile: ProfileAnswer | null;
  /** Ids of the installed agents. */
  readonly installed: readonly string[];
}

/** The agents to choose from: the installed ones, and what the profile runs. */
export function offered({ profile, installed }: AgentsOffered): readonly string[] {
  const own = ownAgent(profile);
  return own === null || installed.includes(own) ? installed : [own, ...installed];
}

/** The agent in effect. One that was chosen with another profile does not count. */
export function agentOf(chosen: Chosen, { profile, installed }: AgentsOffered): string {
  const isOurs = profile === null || chosen.profile === profile.name;
  if (isOurs && offered({ profile, installed }).includes(chosen.agent)) return chosen.agent;
  return ownAgent(profile) ?? installed[0] ?? "";
}

function ownAgent(profile: ProfileAnswer | null): string | null {
  return profile === null ? null : profile.command === null ? profile.agent : COMMAND;
}

/** What to create, as `tmpm new --profile` does: the agent settings of a profile do not apply to another agent. */
export function programOf(
  agent: string,
  profile: ProfileAnswer | null,
): Pick<CreateBody, "agent" | "argv" | "model" | "model_provider" | "reasoning_effort" | "permissions"> {
  const command = agent === COMMAND ? (profile?.command ?? null) : null;
  const program = { agent: command !== null && isInteractiveShell(command) ? "shell" : agent, ...given({ argv: command }) };
  if (profile === null || (profile.agent !== null && profile.agent !== agent)) return program;
  const { model, provider: model_provider, effort: reasoning_effort, permissions } = profile;
  return { ...program, ...given({ model, model_provider, reasoning_effort, permissions }) };
}

type Given<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Given<T>;
}
