import { keepingUnknown } from "@tmpm/core";
import type * as z from "zod";

/** Decodes stored data, with the fields that this version does not know; null if the schema rejects it. */
export function decoder<T>(schema: z.ZodType<T>): (value: unknown) => T | null {
  const stored = keepingUnknown(schema);
  return (value) => {
    const read = stored.safeParse(value);
    return read.success ? read.data : null;
  };
}
