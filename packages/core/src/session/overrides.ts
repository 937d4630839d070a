import * as z from "zod";
import { TmpmError } from "../errors.js";
import { keepUnknown } from "../keep-unknown.js";

/** A session's settings in place of its agent's own; a missing one is the agent's (zeroclaw 1.2, with effort and permissions). */
export const SessionOverrides = keepUnknown({
  model: z.string().optional(),
  model_provider: z.string().optional(),
  /** Between 0 and 2. */
  temperature: z.number().optional(),
  reasoning_effort: z.string().optional(),
  /** The agent's permission mode, in its own words. */
  permissions: z.string().optional(),
});
export type SessionOverrides = z.infer<typeof SessionOverrides>;

export const OVERRIDE_FIELDS = ["model", "model_provider", "temperature", "reasoning_effort", "permissions"] as const;
export type OverrideField = (typeof OVERRIDE_FIELDS)[number];

/** Absent keeps a field, null takes its override away, a value replaces it. */
export type OverridesPatch = { readonly [F in OverrideField]?: SessionOverrides[F] | null | undefined };

/** When a change takes effect: at once, or at the program's next launch. */
export const Applied = z.enum(["live", "next_launch"]);
export type Applied = z.infer<typeof Applied>;

/**
 * The overrides after a patch. Setting a provider without a model clears the model, even for the same provider: a model belongs to its
 * provider (zeroclaw 3).
 */
export function mergeOverrides(current: SessionOverrides, patch: OverridesPatch): SessionOverrides {
  const switches = typeof patch.model_provider === "string" && patch.model === undefined;
  const changes = Object.entries(switches ? { ...patch, model: null } : patch).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...current, ...Object.fromEntries(changes) }).filter(([, value]) => value !== null);
  return SessionOverrides.parse(Object.fromEntries(merged));
}

/** The changed fields, in their fixed order. */
export function changedOverrides(before: SessionOverrides, after: SessionOverrides): readonly OverrideField[] {
  return OVERRIDE_FIELDS.filter((field) => before[field] !== after[field]);
}

/** The patch in stored form: words without outer blanks. @throws INVALID_ARGUMENT, naming the field */
export function parseOverridesPatch(patch: OverridesPatch): OverridesPatch {
  const { model, model_provider, temperature, reasoning_effort, permissions } = patch;
  return {
    ...(model === undefined ? {} : { model: wordOf("model", model) }),
    ...(model_provider === undefined ? {} : { model_provider: wordOf("model_provider", model_provider) }),
    ...(temperature === undefined ? {} : { temperature: temperatureOf(temperature) }),
    ...(reasoning_effort === undefined ? {} : { reasoning_effort: wordOf("reasoning_effort", reasoning_effort) }),
    ...(permissions === undefined ? {} : { permissions: wordOf("permissions", permissions) }),
  };
}

const MOST = 200;

/** One word that no program can parse as an option. */
function wordOf(field: OverrideField, value: string | null): string | null {
  if (value === null) return null;
  const word = value.trim();
  if (word === "") throw refused(field, `${field} must not be blank`);
  if (/[\s\p{C}]/u.test(word) || word.startsWith("-"))
    throw refused(field, `${JSON.stringify(word)} is not a ${field}: use one word that does not begin with a dash`);
  if (word.length > MOST) throw refused(field, `${field} has at most ${MOST} characters`);
  return word;
}

function temperatureOf(value: number | null): number | null {
  if (value === null || (value >= 0 && value <= 2)) return value;
  throw refused("temperature", `temperature is between 0 and 2, not ${value}`);
}

function refused(field: OverrideField, message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { hint: "Null removes an override.", details: { field } });
}
