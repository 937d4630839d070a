import type * as z from "zod";

/** Decodes stored data; null if the schema rejects it. */
export function decoder<T>(schema: z.ZodType<T>): (value: unknown) => T | null {
  return (value) => {
    const read = schema.safeParse(value);
    return read.success ? read.data : null;
  };
}
