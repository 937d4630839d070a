import type { Change, Mistake } from "../config-library.js";
import { usageError } from "../parse/usage-error.js";
import { type KnownKey, knownKey } from "./known-key.js";
import { openConfig } from "./open-config.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface Changed {
  readonly path: string;
  readonly key: string;
  /** False if the file already had this value. */
  readonly changed: boolean;
  readonly shown: string;
  readonly notes: readonly string[];
}

/** Retries when the file changes in between. */
const ATTEMPTS = 5;

/** Sets or removes a key of the file. @throws INVALID_ARGUMENT, CONFIG_INVALID, UNSAFE_PATH, STORE_READ_ONLY */
export async function changeConfig(
  env: Env,
  { key: text, value }: { readonly key: string; readonly value: string | null },
): Promise<Changed> {
  const key = await knownKey(text);
  const change: Change = value === null ? { kind: "absent" } : { kind: "value", value: await parseValue(key, value) };
  const { configInvalid, editConfig, readConfig } = await import("../config-library.js");
  const { writeConfigFile } = await import("@tmpm/api/local");
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { path, text: before, mistakes } = await openConfig(env);
    const unreadable = mistakes.filter((mistake) => mistake.line !== null && mistake.key === null);
    if (unreadable.length > 0) throw configInvalid(path, unreadable);
    const after = editConfig(before ?? "", { key: key.key, change });
    const wrong = readConfig(after).mistakes.filter((mistake) => isAbout(mistake, key.key));
    if (wrong.length > 0) throw configInvalid(path, wrong);
    const changed = after !== (before ?? "");
    if (!changed || writeConfigFile(path, { text: after, before })) return { path, key: key.key, changed, ...(await effect(env, key)) };
  }
  throw usageError("another program keeps changing the file", "Try again.");
}

function isAbout({ key }: Mistake, changed: string): boolean {
  return key !== null && (key === changed || key.startsWith(`${changed}.`) || changed.startsWith(`${key}.`));
}

async function effect(env: Env, key: KnownKey): Promise<Pick<Changed, "shown" | "notes">> {
  const { settings, profiles, mistakes, path } = await openConfig(env);
  const { mistakeLine } = await import("../config-library.js");
  const others = mistakes.map((mistake) => mistakeLine(path, mistake));
  if (key.kind === "profile") return { shown: JSON.stringify(profiles[key.profile] ?? null), notes: others };
  const setting = settings.find((each) => each.key === key.key);
  if (setting === undefined) return { shown: "", notes: others };
  const overruled = setting.source === "environment" ? [`${setting.variable} is set and overrides the file`] : [];
  const later = setting.counts === "restart" ? ["a running daemon applies it after `tmpm daemon restart`; sessions keep running"] : [];
  return { shown: setting.shown, notes: [...overruled, ...later, ...others] };
}

async function parseValue(key: KnownKey, text: string): Promise<unknown> {
  if (key.kind === "profile") return profileValue(key, text);
  const { settingOf } = await import("../config-library.js");
  const { form, secrecy, env } = settingOf(key.key);
  if (secrecy === "withheld")
    throw usageError(`${key.key} is a secret and is not stored in the file`, `Name a file with client.token_file, or set ${env}.`);
  const value = form.parse(text) ?? fromJson(text);
  const read = form.schema.safeParse(value);
  if (read.success) return read.data;
  throw usageError(
    `${key.key} is ${form.what}${secrecy === undefined ? `, not ${JSON.stringify(text)}` : ""}`,
    `tmpm config set ${key.key} VALUE`,
  );
}

function profileValue({ key, field }: KnownKey & { readonly kind: "profile" }, text: string): unknown {
  if (field === null) throw usageError("a profile is set field by field", `For example: tmpm config set ${key}.model opus`);
  if (field !== "command" && field !== "env") return text;
  return fromJson(text) ?? text.split(field === "env" ? "," : " ").filter((each) => each !== "");
}

/** A list given as JSON; undefined for anything else. */
function fromJson(text: string): unknown {
  if (!text.startsWith("[")) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
