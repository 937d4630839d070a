export type Json = Readonly<Record<string, unknown>>;

export function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
}

export function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The texts of a message whose content is a text or a list of blocks. */
export function blockTexts(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  return list(content).flatMap((block) => (typeof block.text === "string" ? [block.text] : []));
}

let count = 0;

export function freshId(prefix: string): string {
  count += 1;
  return `${prefix}${String(count).padStart(16, "0")}`;
}
