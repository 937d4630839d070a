/**
 * Routes are validated by the schemas of their contracts. Fastify's own compilers are never used, but without these stubs it would load them at every
 * start.
 */
export const NO_SCHEMAS = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } } as const;

function refuse(): never {
  throw new Error("a route has a fastify schema");
}
