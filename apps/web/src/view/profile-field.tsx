import type { ProfileAnswer } from "@tmpm/api";
import { changeDraft } from "../state/new-session-draft.js";
import type { ProfileChoice } from "../state/profile-program.js";
import { oneLine } from "../words/shown.js";

interface ProfileFieldProps {
  readonly list: readonly ProfileAnswer[];
  readonly choice: ProfileChoice;
  /** The list could not be loaded; a session can still be started without a profile. */
  readonly failed: boolean;
}

/** The value of the option for an unknown default, which is not a name. */
const UNKNOWN = " ";

/** The profiles of the configuration; nothing if there are none and none is missing. */
export function ProfileField({ list, choice, failed }: ProfileFieldProps) {
  const missing = choice.kind === "missing" ? choice.name : null;
  const isUnknown = choice.kind === "missing" && missing === null && failed;
  if (list.length === 0 && missing === null && !failed) return null;
  return (
    <label>
      <span>Profile {choice.kind === "profile" && <span class="soft">({summary(choice.profile)})</span>}</span>
      <select
        class="field"
        id="profile"
        value={choice.kind === "profile" ? choice.profile.name : (missing ?? (isUnknown ? UNKNOWN : ""))}
        onChange={({ currentTarget }) => changeDraft({ profile: currentTarget.value, agent: "" })}
      >
        {isUnknown && (
          <option value={UNKNOWN} disabled>
            Not loaded
          </option>
        )}
        <option value="">None</option>
        {missing !== null && <option value={missing}>{oneLine(missing)}</option>}
        {list.map(({ name }) => (
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
