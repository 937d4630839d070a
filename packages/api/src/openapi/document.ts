import { CONTRACTS, type Contract, ErrorEnvelope } from "../contracts.js";
import { VERSION_HEADER } from "../headers.js";
import { type JsonSchema, jsonSchemas } from "./json-schemas.js";
import { type Operation, operationOf, PARAMETERS } from "./operation.js";

/** The parts of OpenAPI 3.1 that tmpm writes. */
export interface OpenApi {
  readonly openapi: "3.1.0";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: typeof PARAMETERS;
    readonly headers: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

const DESCRIPTION = `The API of the tmpm daemon on its unix socket.

Every response is JSON unless its route says otherwise. Every failure is an error envelope: branch on \`code\`, and retry automatically only if
\`effect\` is \`none\`. Ignore unknown fields and values: they come from a later version. Unknown fields in a request are refused.`;

/** The API as an OpenAPI 3.1 document, generated from the contracts alone. */
export function openApi({ version }: { readonly version: string }): OpenApi {
  const schemas = jsonSchemas();
  const routes = Object.entries<Contract>(CONTRACTS).map(([name, contract]) => ({ name, contract }));
  const answers = new Map(routes.map(({ name, contract }) => [name, schemas.schemaOf(contract.answer, "output")]));
  schemas.schemaOf(ErrorEnvelope, "output");
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { name, contract } of routes) {
    const path = contract.path.replace(/:(\w+)/g, "{$1}");
    const operation = operationOf({ name, contract, answer: answers.get(name) ?? {} }, schemas);
    paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: { title: "tmpm", version, description: DESCRIPTION, license: { name: "MIT" } },
    servers: [{ url: "http://localhost", description: "the daemon's unix socket; `tmpm daemon status` shows its path" }],
    paths,
    components: {
      schemas: schemas.named(),
      parameters: PARAMETERS,
      headers: {
        version: { description: `The daemon's version, in every response as \`${VERSION_HEADER}\`.`, schema: { type: "string" } },
        etag: { description: "Changes whenever the response changes; begins with the session's `rev`.", schema: { type: "string" } },
      },
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "Without a token, the unix socket grants the owner's rights." },
      },
    },
  };
}
