import * as z from "zod";

/** The syntax of a setting's value: YAML in the file, text in an environment variable and on a command line. */
export interface Form<T> {
  /** Parses the file's value. */
  readonly schema: z.ZodType<T>;
  /** The expected value, phrased to follow "is". */
  readonly what: string;
  /** Parses text; undefined if it is invalid. */
  readonly parse: (text: string) => T | undefined;
  readonly print: (value: T) => string;
  /** All valid texts, if there are only a few. */
  readonly choices?: readonly string[];
  /** Empty text is also a value. */
  readonly emptyCounts?: true;
}

export function text(what: string, pattern = /^[^\0\r\n]+$/): Form<string> {
  return { schema: z.string().regex(pattern), what, parse: (given) => (pattern.test(given) ? given : undefined), print: (value) => value };
}

/** Text that a parser accepts. The pattern is what an editor checks. */
export function checked(
  what: string,
  { pattern, isValid }: { readonly pattern: RegExp; readonly isValid: (text: string) => boolean },
): Form<string> {
  const schema = z.string().regex(pattern).refine(isValid);
  return { schema, what, parse: (given) => parsed(schema, given), print: (value) => value };
}

/** An absolute URL. The pattern is what an editor checks. */
export function address(what: string, pattern: RegExp): Form<string> {
  const schema = z
    .string()
    .regex(pattern)
    .refine((given) => URL.canParse(given));
  return { schema, what, parse: (given) => parsed(schema, given), print: (value) => value };
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

/** Texts with a separator between them, as in `PATH`; an empty text is the empty list. */
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

/** A program and its arguments; as text a JSON array, since any separator could be part of an argument. */
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
