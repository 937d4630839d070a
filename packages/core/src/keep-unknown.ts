import * as z from "zod";

/** An object that keeps unknown fields, without declaring them in its type. */
export function keepUnknown<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodType<z.output<z.ZodObject<Shape, z.core.$strip>>, z.input<z.ZodObject<Shape, z.core.$strip>>> {
  return z.looseObject(shape);
}

/**
 * The schema for stored data: the same, but every object that drops unknown fields keeps them, at any depth. Objects that refuse unknown
 * fields still do.
 */
export function keepingUnknown<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.clone(schema, { ...schema.def, ...keepingParts(schema) });
}

function keepingParts(schema: z.ZodType): object {
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, kept(field)]));
    return { shape, catchall: schema.def.catchall ?? z.unknown() };
  }
  if (schema instanceof z.ZodArray) return { element: kept(schema.def.element) };
  if (schema instanceof z.ZodRecord) return { valueType: kept(schema.def.valueType) };
  if (schema instanceof z.ZodUnion) return { options: schema.def.options.map(kept) };
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return { innerType: kept(schema.def.innerType) };
  if (schema instanceof z.ZodDefault) return { innerType: kept(schema.def.innerType) };
  return {};
}

function kept(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodType ? keepingUnknown(schema) : schema;
}
