import type * as z from "zod";

/** Reads what was kept; null for what the schema does not take. */
export function decoder<T>(schema: z.ZodType<T>): (value: unknown) => T | null {
  return (value) => {
    const read = schema.safeParse(value);
    return read.success ? read.data : null;
  };
}
