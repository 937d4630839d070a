import * as z from "zod";

/** What a route takes and answers. Scopes: `observer` reads, `operator` changes sessions, `admin` changes the daemon; `session` speaks for one session, with its token. */
export interface Contract {
  readonly scope: "observer" | "operator" | "admin" | "session";
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  readonly status: 200 | 201 | 202;
  readonly answer: z.ZodType;
}

export const none = z.object({});
export const session = z.object({ session: z.string().min(1) });

/** A truth value in a query. */
export const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);

/** A whole number in a query. */
export const count = (min: number, max: number) =>
  z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.number().int().min(min).max(max));

/** None, one or several in a query, each under the same name. */
export const repeated = <T extends z.ZodType>(value: T) => z.union([z.array(value), value.transform((one) => [one])]).default([]);
