/**
 * Routes are checked by the schemas of their contracts. Fastify's own compilers are never called; without these it loads them at every start.
 */
export const NO_SCHEMAS = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } } as const;

function refuse(): never {
  throw new Error("a route has a schema of fastify");
}
