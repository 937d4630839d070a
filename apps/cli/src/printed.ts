type Json = Readonly<Record<string, unknown>>;

/** A command's `--json` output, if it differs from the response of the route of its name. */
export interface Printed {
  /** JSON Schemas, one of which matches; `{route: NAME}` refers to a route's response. */
  readonly forms: readonly Json[];
  /** One value is printed per line, as values arrive. */
  readonly perLine?: true;
}

/** A command with its output; `nothing` for one that takes over the terminal and refuses `--json`. */
export interface PrintedBy {
  readonly name: string;
  readonly printed?: Printed | "nothing" | undefined;
}

export const TEXT = { type: "string" };
export const FLAG = { type: "boolean" };
export const OR_NULL = ["string", "null"];
export const NO_NEXT = { next: { type: "null" } };

export const answerOf = (route: string): Json => ({ route });
export const component = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
export const listOf = (items: Json): Json => ({ type: "array", items });
export const objectOf = (properties: Json): Json => ({ type: "object", properties, required: Object.keys(properties) });

/** The response of one of these routes. */
export const answersOf = (...routes: readonly string[]): Printed => ({ forms: routes.map(answerOf) });

/** One line per session: the response, or its error. */
export const answerPerSession = (...routes: readonly string[]): Printed => ({
  forms: [...routes.map(answerOf), component("ErrorEnvelope")],
  perLine: true,
});

const NODE_PART = { node: { type: OR_NULL }, complete: FLAG, reason: { type: OR_NULL } };

/** Queried from each machine, and merged here. */
export const OVER_NODES = { complete: FLAG, nodes: listOf(objectOf(NODE_PART)) };
