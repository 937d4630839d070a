type Json = Readonly<Record<string, unknown>>;

/** A verb's `--json` output, if it differs from the response of the route of its name. */
export interface Printed {
  /** JSON Schemas, one of which matches; `{route: NAME}` refers to a route's response. */
  readonly forms: readonly Json[];
  /** One value is printed per line, as values arrive. */
  readonly perLine?: true;
}

const TEXT = { type: "string" };
const FLAG = { type: "boolean" };
const NEXT = { next: { type: "null" } };
const OR_NULL = ["string", "null"];

const route = (name: string): Json => ({ route: name });
const component = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const list = (items: Json): Json => ({ type: "array", items });
const object = (properties: Json): Json => ({ type: "object", properties, required: Object.keys(properties) });

/** One line per session: the response, or its error. */
const ended = (...routes: readonly string[]): Printed => ({ forms: [...routes.map(route), component("ErrorEnvelope")], perLine: true });

const SERVICE = object({
  manager: TEXT,
  label: { type: OR_NULL },
  file: { type: OR_NULL },
  enabled: FLAG,
  active: { type: OR_NULL },
  message: { type: OR_NULL },
});

const SETTING = object({ key: TEXT, value: {}, shown: TEXT, source: TEXT, variable: TEXT, option: { type: OR_NULL }, summary: TEXT });

/** The code in `url` is for a browser only. */
const OPENED = { allOf: [route("web"), object({ login: object({ url: TEXT, scope: TEXT, expires_at: TEXT }) })] };

const TRIAL = object({
  agent: TEXT,
  version: { type: OR_NULL },
  verified: { type: ["boolean", "null"] },
  host: TEXT,
  steps: list(object({ step: TEXT, ok: FLAG, seen: TEXT })),
  states: list(TEXT),
  folder: { type: OR_NULL },
  screens: { type: "integer" },
  ok: FLAG,
});

const NODE_CHECK = object({ node: TEXT, check: TEXT, ok: FLAG, message: TEXT, hint: { type: OR_NULL } });

const NODE_PART = { node: { type: OR_NULL }, complete: FLAG, reason: { type: OR_NULL } };

/** Queried from each machine, and merged here. */
const OVER_NODES = { complete: FLAG, nodes: list(object(NODE_PART)) };

const NEEDY = object({ id: TEXT, name: TEXT, standing: TEXT, since: component("Timestamp"), why: TEXT, command: TEXT });

/** By verb; `overview` is the output of `tmpm` alone. */
export const PRINTED: ReadonlyMap<string, Printed> = new Map<string, Printed>([
  [
    "overview",
    {
      forms: [
        object({
          running: FLAG,
          total: { type: "integer" },
          counts: { type: "object", additionalProperties: { type: "integer" } },
          needs_you: list(NEEDY),
          problems: { type: "integer" },
        }),
      ],
    },
  ],
  ["new", { forms: [route("create")] }],
  ["ls", { forms: [route("list"), route("fleet")] }],
  ["send", { forms: ["send", "receipt", "turn"].map(route) }],
  ["pr", { forms: ["pullRequest", "watchPullRequest"].map(route) }],
  ["setup", { forms: ["show", "setUpAgain"].map(route) }],
  ["group", { forms: ["group", "checkGroup"].map(route) }],
  ["queue", { forms: [route("queue"), route("turn"), object({ turns: list(component("TurnAnswer")), ...NEXT })] }],
  ["turns", { forms: ["turns", "turn"].map(route) }],
  ["capture", { forms: [route("capture"), object({ line: TEXT }), object({ missed: TEXT })], perLine: true }],
  ["wait", { forms: ["wait", "waitMany"].map(route) }],
  ["approve", { forms: [route("answer")] }],
  ["answer", { forms: ["answer", "answerQuestion"].map(route) }],
  ["ask", { forms: ["question", "withdrawQuestion"].map(route) }],
  ["deny", { forms: [route("answer")] }],
  ["stop", ended("stop")],
  ["archive", ended("archive")],
  ["rm", ended("remove", "delete")],
  ["set", { forms: ["set", "override", "markErrored"].map(route) }],
  ["import", { forms: ["import", "export"].map(route) }],
  ["agents", { forms: [route("agents"), route("agent"), TRIAL] }],
  ["projects", { forms: ["projects", "addProject", "setProject", "directories"].map(route) }],
  [
    "nodes",
    { forms: [route("nodes"), route("node"), object({ checks: list(NODE_CHECK), ...NEXT }), object({ node_id: TEXT, nkey: TEXT })] },
  ],
  ["web", { forms: [OPENED, route("web"), route("devices"), route("revokeDevice"), route("push"), route("testPush")] }],
  ["counts", { forms: [route("counts"), { allOf: [route("counts"), object(OVER_NODES)] }] }],
  ["next", { forms: [route("next"), { allOf: [route("next"), object({ node: { type: OR_NULL }, ...OVER_NODES })] }] }],
  [
    "events",
    {
      forms: [
        component("EventAnswer"),
        object({ behind: object({ snapshot_at: { type: "integer" } }) }),
        { allOf: [component("EventAnswer"), object({ node: { type: OR_NULL } })] },
        object({ behind: object({ snapshot_at: { type: "integer" } }), node: { type: OR_NULL } }),
        object({ silent: object({ reason: TEXT }), node: { type: OR_NULL } }),
      ],
      perLine: true,
    },
  ],
  ["hook", { forms: [{ type: "object" }] }],
  [
    "token",
    {
      forms: [
        route("tokens"),
        route("createToken"),
        { allOf: [route("revokeToken"), object({ file: TEXT })] },
        route("revokeToken"),
        route("createLoginCode"),
      ],
    },
  ],
  [
    "daemon",
    {
      forms: [
        { allOf: [route("health"), object({ service: { anyOf: [SERVICE, { type: "null" }] } })] },
        route("health"),
        route("audit"),
        object({ stopping: FLAG }),
        object({ status: { type: "integer" } }),
        object({ lines: list(TEXT) }),
        object({ line: TEXT }),
        object({ file: TEXT, text: TEXT }),
        object({ service: SERVICE, health: component("HealthAnswer") }),
        object({ file: { type: OR_NULL } }),
      ],
      perLine: true,
    },
  ],
  [
    "config",
    {
      forms: [
        object({ path: TEXT, exists: FLAG, settings: list(SETTING), profiles: { type: "object" }, mistakes: list(TEXT), ...NEXT }),
        SETTING,
        object({ path: TEXT, key: TEXT, changed: FLAG, shown: TEXT, notes: list(TEXT) }),
        object({ path: TEXT, changed: FLAG }),
        object({ path: TEXT }),
        { type: "object", description: "A profile, or the JSON Schema of the file." },
      ],
    },
  ],
  [
    "schema",
    {
      forms: [
        object({
          verbs: list(object({ verb: TEXT, answers: list(TEXT), per_line: FLAG })),
          routes: list(object({ route: TEXT, answer: TEXT })),
          ...NEXT,
        }),
        object({ $schema: TEXT }),
      ],
    },
  ],
  ["notify", { forms: [route("notify"), component("EventAnswer")], perLine: true }],
  ["completion", { forms: [object({ shell: TEXT, script: TEXT })] }],
]);

/** Verbs that take the whole terminal: they refuse `--json`. */
export const PRINTS_NOTHING: ReadonlySet<string> = new Set(["top", "mcp", "node"]);
