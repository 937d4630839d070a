import type { ProfileAnswer, ProfileList } from "@tmpm/api";
import { changeDraft } from "../state/new-session-draft.js";
import { oneLine } from "../words/shown.js";

interface ProfileFieldProps {
  readonly list: ProfileList;
  readonly profile: ProfileAnswer | null;
}

/** The profiles of the configuration; nothing where there are none. */
export function ProfileField({ list, profile }: ProfileFieldProps) {
  if (list.profiles.length === 0) return null;
  return (
    <label>
      <span>Profile {profile !== null && <span class="soft">({summary(profile)})</span>}</span>
      <select
        class="field"
        id="profile"
        value={profile?.name ?? ""}
        onChange={({ currentTarget }) => changeDraft({ profile: currentTarget.value, agent: "" })}
      >
        <option value="">None</option>
        {list.profiles.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function summary({ agent, command, env, model, provider, effort, permissions }: ProfileAnswer): string {
  const parts = Object.entries({ model, provider, effort, permissions }).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${value}`],
  );
  const runs = command?.join(" ") ?? agent;
  const missing = env.length === 0 ? [] : [`without ${env.join(", ")}, which only tmpm new passes`];
  return oneLine([...(runs === null ? [] : [runs]), ...parts, ...missing].join("; "));
}
