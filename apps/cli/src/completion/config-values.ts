import { openConfig } from "../config/open-config.js";
import type { Candidate } from "./live-values.js";

const KINDS = ["profiles", "settings", "set_settings", "setting_values"] as const;

/** Values known from the configuration. */
export type ConfigKind = (typeof KINDS)[number];

export function isConfigKind(kind: string): kind is ConfigKind {
  return KINDS.some((known) => known === kind);
}

interface Asked {
  /** The setting whose values are requested. */
  readonly key: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws CONFIG_INVALID, UNSAFE_PATH */
export async function configValues(kind: ConfigKind, { key, env }: Asked): Promise<readonly Candidate[]> {
  const { settings, profiles } = await openConfig(env);
  switch (kind) {
    case "profiles":
      return Object.entries(profiles).map(([value, profile]) => ({ value, does: profile.agent ?? "" }));
    case "settings":
      return [...settings.map(({ key: value, summary }) => ({ value, does: summary })), ...(await profileFields(profiles))];
    case "set_settings":
      return [
        ...settings.filter(({ source }) => source === "file").map(({ key: value, shown }) => ({ value, does: shown })),
        ...Object.keys(profiles).map((name) => ({ value: `profiles.${name}`, does: "the profile" })),
      ];
    case "setting_values": {
      const { isSettingKey, settingOf } = await import("../config-library.js");
      const choices = isSettingKey(key) ? settingOf(key).form.choices : undefined;
      return (choices ?? []).map((value) => ({ value, does: "" }));
    }
  }
}

async function profileFields(profiles: Readonly<Record<string, object>>): Promise<readonly Candidate[]> {
  const { Profile } = await import("../config-library.js");
  return Object.keys(profiles).flatMap((name) =>
    Object.keys(Profile.shape).map((field) => ({ value: `profiles.${name}.${field}`, does: "" })),
  );
}
