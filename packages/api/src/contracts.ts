import type * as z from "zod";
import * as FILES from "./contracts/route-files.js";

export * from "./contracts/route-files.js";

type RouteTable = { readonly [K in keyof typeof FILES]: K extends `${string}_ROUTES` ? (typeof FILES)[K] : never }[keyof typeof FILES];
type Merged<T> = (T extends unknown ? (table: T) => void : never) extends (tables: infer I) => void ? I : never;

type Contracts = Merged<RouteTable>;

/** Every route with its input and response: the tables that the files of `contracts/` export as `..._ROUTES`. */
export const CONTRACTS = Object.fromEntries(
  Object.entries(FILES).flatMap(([name, table]) => (name.endsWith("_ROUTES") ? Object.entries(table) : [])),
) as object as Contracts;

/** The verb that all layers share. */
export type RouteName = keyof Contracts;

type Part<R extends RouteName, K extends "params" | "query" | "body", Side extends "input" | "output"> = Contracts[R][K] extends z.ZodType
  ? Fields<Side extends "input" ? z.input<Contracts[R][K]> : z.output<Contracts[R][K]>>
  : Record<never, never>;

/** zod types an object without fields as one that forbids every field, which would also forbid the fields of the other parts. */
type Fields<T> = T extends Record<string, never> ? Record<never, never> : T;

type Side<R extends RouteName, S extends "input" | "output"> = Part<R, "params", S> & Part<R, "query", S> & Part<R, "body", S>;

/** A client's input of a route: parameters, query and body in one object. */
export type Input<R extends RouteName> = Side<R, "input">;
/** The parsed input of the daemon's handler; for a conditional route with the `rev` that the caller saw. */
export type Parsed<R extends RouteName> = Side<R, "output"> &
  (Contracts[R] extends { readonly conditional: true } ? { readonly rev?: number } : unknown);
export type Output<R extends RouteName> = z.output<Contracts[R]["answer"]>;
