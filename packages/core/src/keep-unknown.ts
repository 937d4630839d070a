import * as z from "zod";

/** An object that keeps unknown fields, without declaring them in its type. */
export function keepUnknown<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodType<z.output<z.ZodObject<Shape, z.core.$strip>>, z.input<z.ZodObject<Shape, z.core.$strip>>> {
  return z.looseObject(shape);
}
