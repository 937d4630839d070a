import * as z from "zod";

/** How a setting's value looks: in the file as YAML, in an environment variable and on a command line as text. */
export interface Form<T> {
  /** Of the file's value. */
  readonly schema: z.ZodType<T>;
  /** What is expected, to be read after "is". */
  readonly what: string;
  /** From text; undefined when it is none. */
  readonly parse: (text: string) => T | undefined;
  readonly print: (value: T) => string;
  /** Every text that it can be, where those are few. */
  readonly choices?: readonly string[];
  /** Empty text is a value, too. */
  readonly emptyCounts?: true;
}

export function text(what: string, pattern = /^[^\0\r\n]+$/): Form<string> {
  return { schema: z.string().regex(pattern), what, parse: (given) => (pattern.test(given) ? given : undefined), print: (value) => value };
}

export function choice<const C extends readonly [string, ...string[]]>(...choices: C): Form<C[number]> {
  return {
    schema: z.enum(choices),
    what: `one of ${choices.join(", ")}`,
    parse: (given) => choices.find((each) => each === given),
    print: (value) => value,
    choices,
  };
}

export function whole(least: number, most: number): Form<number> {
  const schema = z.number().int().min(least).max(most);
  return { schema, what: `a whole number from ${least} to ${most}`, parse: numberBy(schema), print: String };
}

export function decimal(least: number, most: number): Form<number> {
  const schema = z.number().min(least).max(most);
  return { schema, what: `a number from ${least} to ${most}`, parse: numberBy(schema), print: String };
}

const TRUTHS: Readonly<Record<string, boolean>> = {
  on: true,
  true: true,
  yes: true,
  1: true,
  off: false,
  false: false,
  no: false,
  0: false,
};

export const truth: Form<boolean> = {
  schema: z.boolean(),
  what: "true or false",
  parse: (given) => (Object.hasOwn(TRUTHS, given.toLowerCase()) ? TRUTHS[given.toLowerCase()] : undefined),
  print: (value) => (value ? "on" : "off"),
  choices: ["true", "false"],
};

/** Texts with a separator between them, as in `PATH`; none is an empty text. */
export function list(
  what: string,
  { separator, item = /^[^\0\r\n]+$/ }: { readonly separator: string; readonly item?: RegExp },
): Form<string[]> {
  const schema = z.array(
    z
      .string()
      .regex(item)
      .refine((each) => !each.includes(separator)),
  );
  return {
    schema,
    what: `${what}: A${separator}B on the command line and in the environment, [A, B] in the file`,
    parse: (given) =>
      parsed(
        schema,
        given
          .split(separator)
          .map((each) => each.trim())
          .filter((each) => each !== ""),
      ),
    print: (value) => value.join(separator),
    emptyCounts: true,
  };
}

/** A program and its arguments; as text a JSON array, since no separator is safe. */
export const argv: Form<string[]> = {
  schema: z.array(z.string().regex(/^[^\0]*$/)),
  what: 'a list of a program and its arguments, such as ["say", "--fast"]',
  parse(given) {
    try {
      return parsed(argv.schema, JSON.parse(given));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  },
  print: (value) => JSON.stringify(value),
};

function numberBy(schema: z.ZodType<number>): (given: string) => number | undefined {
  return (given) => (/^\d{1,12}(\.\d{1,6})?$/.test(given) ? parsed(schema, Number(given)) : undefined);
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  const read = schema.safeParse(value);
  return read.success ? read.data : undefined;
}
