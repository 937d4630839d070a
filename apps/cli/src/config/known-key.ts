import { usageError } from "../parse/usage-error.js";

/** A key of the file: a setting, a profile, or a field of one. */
export type KnownKey =
  | { readonly kind: "setting"; readonly key: import("../config-library.js").SettingKey }
  | { readonly kind: "profile"; readonly key: string; readonly profile: string; readonly field: string | null };

/** @throws INVALID_ARGUMENT, with a suggestion */
export async function knownKey(text: string): Promise<KnownKey> {
  const { didYouMean, isSettingKey, PROFILE_NAME, Profile, SETTING_KEYS } = await import("../config-library.js");
  if (isSettingKey(text)) return { kind: "setting", key: text };
  const [group, profile = "", field = null, ...more] = text.split(".");
  const fields = Object.keys(Profile.shape);
  if (group === "profiles" && PROFILE_NAME.test(profile) && more.length === 0 && (field === null || fields.includes(field)))
    return { kind: "profile", key: text, profile, field };
  const near = group === "profiles" && field !== null ? didYouMean(field, fields) : null;
  const meant =
    near === null
      ? (SETTING_KEYS.find((key) => key.endsWith(`.${text}`)) ?? didYouMean(text, SETTING_KEYS))
      : `profiles.${profile}.${near}`;
  throw usageError(`unknown setting ${text}`, meant === null ? "`tmpm config list --all` lists them." : `Did you mean ${meant}?`);
}
