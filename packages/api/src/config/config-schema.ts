import * as z from "zod";
import { PROFILE_NAME, Profile } from "./profile.js";
import { SETTING_KEYS, settingOf } from "./settings.js";

/** Keys of the file as nested groups; a leaf is the key of a setting. */
interface Group {
  [name: string]: Group | z.ZodType;
}

/** The configuration file; every key is optional. */
export const ConfigFile: z.ZodType<Readonly<Record<string, unknown>>> = z
  .strictObject({
    ...objectsOf(groups()),
    profiles: z
      .record(z.string().regex(PROFILE_NAME), Profile)
      .optional()
      .describe("Named choices for `tmpm new`; shown by `tmpm config list`."),
  })
  .meta({ title: "tmpm configuration", description: "$XDG_CONFIG_HOME/tmpm/config.yaml. See docs/config.md." });

/** Its JSON Schema (2020-12), for editors. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  return { ...z.toJSONSchema(ConfigFile, { io: "input" }) };
}

function groups(): Group {
  const top: Group = {};
  for (const key of SETTING_KEYS) {
    const { form, fallback, summary, secrecy } = settingOf(key);
    if (secrecy === "withheld") continue;
    const names = key.split(".");
    const leaf = names.pop() ?? key;
    let group = top;
    for (const name of names) group = below(group, name);
    const meta = { description: `${summary}.`, ...(fallback === null ? {} : { default: fallback }) };
    group[leaf] = form.schema.meta(meta).optional();
  }
  return top;
}

function below(group: Group, name: string): Group {
  const found = group[name];
  if (found !== undefined && !(found instanceof z.ZodType)) return found;
  const made: Group = {};
  group[name] = made;
  return made;
}

function objectsOf(group: Group): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(group).map(([name, inner]) => [name, inner instanceof z.ZodType ? inner : z.strictObject(objectsOf(inner)).optional()]),
  );
}
