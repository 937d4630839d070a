/** What stands at a path of a value that came as JSON; undefined where nothing does. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);
}

/** The text at a path; null where there is none, or an empty one. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found : null;
}

/** The list at a path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

/** The value of a text that is JSON; null for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The moment at a path, in milliseconds since 1970; null where there is none. */
export function msAt(value: unknown, ...path: readonly string[]): number | null {
  const ms = Date.parse(textAt(value, ...path) ?? "");
  return Number.isNaN(ms) ? null : ms;
}

/** The count at a path; 0 where there is none. */
export function countAt(value: unknown, ...path: readonly string[]): number {
  const found = numberAt(value, ...path) ?? 0;
  return Number.isSafeInteger(found) && found >= 0 ? found : 0;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
