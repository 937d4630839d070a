import type { CreateBody, ProfileAnswer, ProfileList } from "@tmpm/api";
import { profileAgent, profileProgram } from "@tmpm/core/profile-program";

/** The agent that stands for a profile's command. */
export const COMMAND = "command";

export interface Chosen {
  /** Null until chosen; empty for none. */
  readonly profile: string | null;
  /** Empty until chosen; chosen together with the profile. */
  readonly agent: string;
}

/** The profile in effect. While it is missing, what a new session would run is unknown. */
export type ProfileChoice =
  | { readonly kind: "none" }
  | { readonly kind: "profile"; readonly profile: ProfileAnswer }
  /** `name` is null while the configuration's default is unknown. */
  | { readonly kind: "missing"; readonly name: string | null; readonly reason: string };

/** The chosen profile, by default the configuration's. The list is null until it is loaded. */
export function profileOf({ profile: chosen }: Pick<Chosen, "profile">, list: ProfileList | null): ProfileChoice {
  if (chosen === "") return { kind: "none" };
  if (list === null) return { kind: "missing", name: chosen, reason: "The profiles are not loaded yet." };
  const wanted = chosen ?? list.default;
  if (wanted === null) return { kind: "none" };
  const profile = list.profiles.find(({ name }) => name === wanted);
  if (profile !== undefined) return { kind: "profile", profile };
  return { kind: "missing", name: wanted, reason: `The configuration has no profile ${wanted}. Choose another profile, or none.` };
}

export interface AgentsOffered {
  readonly profile: ProfileAnswer | null;
  /** Ids of the installed agents. */
  readonly installed: readonly string[];
}

/** The agents to choose from: the installed ones, and what the profile runs. */
export function offered({ profile, installed }: AgentsOffered): readonly string[] {
  const own = profileAgent(profile ?? {});
  return own === null || installed.includes(own) ? installed : [own, ...installed];
}

/** The agent in effect. One that was chosen with another profile does not count. */
export function agentOf(chosen: Chosen, { profile, installed }: AgentsOffered): string {
  const isOurs = profile === null || chosen.profile === profile.name;
  if (isOurs && offered({ profile, installed }).includes(chosen.agent)) return chosen.agent;
  return profileAgent(profile ?? {}) ?? installed[0] ?? "";
}

/** What to create, as `tmpm new --profile` does. */
export function programOf(
  agent: string,
  profile: ProfileAnswer | null,
): Pick<CreateBody, "agent" | "argv" | "model" | "model_provider" | "reasoning_effort" | "permissions"> {
  return profileProgram({ agent }, profile ?? {});
}
