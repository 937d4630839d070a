/** The value at a path of a JSON value; undefined without one. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);
}

/** The text at a path; null when missing or empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found : null;
}

/** The list at a path; empty when missing. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

/** The value of a JSON text; null for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The time at a path, in milliseconds since 1970; null when missing. */
export function msAt(value: unknown, ...path: readonly string[]): number | null {
  const ms = Date.parse(textAt(value, ...path) ?? "");
  return Number.isNaN(ms) ? null : ms;
}

/** The count at a path; 0 when missing. */
export function countAt(value: unknown, ...path: readonly string[]): number {
  const found = numberAt(value, ...path) ?? 0;
  return Number.isSafeInteger(found) && found >= 0 ? found : 0;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
