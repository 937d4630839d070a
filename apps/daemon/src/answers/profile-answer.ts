import type { ProfileAnswer } from "@tmpm/api";
import type { Profile, Profiles } from "@tmpm/api/config";

/** The profiles of the configuration, and the name of the default one, or null. */
export interface KnownProfiles {
  readonly profiles: Profiles;
  readonly default: string | null;
}

export type NamedProfile = readonly [name: string, profile: Profile];

export function profileAnswer([name, { agent, command, env, model, provider, effort, permissions }]: NamedProfile): ProfileAnswer {
  return {
    name,
    agent: agent ?? null,
    command: command ?? null,
    env: env ?? [],
    model: model ?? null,
    provider: provider ?? null,
    effort: effort ?? null,
    permissions: permissions ?? null,
  };
}
