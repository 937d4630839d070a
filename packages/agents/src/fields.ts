/** A field of something whose shape is not known; undefined when it has none. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

export function textOf(value: unknown, name: string): string | null {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : null;
}

/** A count, 0 when there is none. */
export function countOf(value: unknown, name: string): number {
  const field = fieldOf(value, name);
  return typeof field === "number" && Number.isSafeInteger(field) && field >= 0 ? field : 0;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list of blocks, one below the other; null when no block of these types has text. */
export function blockText(blocks: unknown, types: readonly string[]): string | null {
  const texts = listOf(blocks).flatMap((block) => {
    const text = types.includes(textOf(block, "type") ?? "") ? textOf(block, "text") : null;
    return text === null ? [] : [text];
  });
  return texts.length === 0 ? null : texts.join("\n");
}
