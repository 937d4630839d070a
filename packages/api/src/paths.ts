/** Method and path of every route, by the verb that all layers share. Kept free of zod: the command line loads it on every start. */
export const PATHS = {
  health: { method: "GET", path: "/healthz" },
  doctor: { method: "GET", path: "/v1/doctor" },
  shutdown: { method: "POST", path: "/v1/daemon/shutdown" },
  import: { method: "POST", path: "/v1/import" },
  export: { method: "POST", path: "/v1/export" },
  events: { method: "GET", path: "/v1/events" },
  projects: { method: "GET", path: "/v1/projects" },
  addProject: { method: "POST", path: "/v1/projects" },
  removeProject: { method: "DELETE", path: "/v1/projects/:project" },
  scope: { method: "POST", path: "/v1/sessions/:session/scope" },
  list: { method: "GET", path: "/v1/sessions" },
  create: { method: "POST", path: "/v1/sessions" },
  show: { method: "GET", path: "/v1/sessions/:session" },
  remove: { method: "DELETE", path: "/v1/sessions/:session" },
  send: { method: "POST", path: "/v1/sessions/:session/send" },
  sends: { method: "GET", path: "/v1/sessions/:session/sends" },
  receipt: { method: "GET", path: "/v1/sessions/:session/sends/:send" },
  cancelSend: { method: "DELETE", path: "/v1/sessions/:session/sends/:send" },
  keys: { method: "POST", path: "/v1/sessions/:session/keys" },
  capture: { method: "GET", path: "/v1/sessions/:session/screen" },
  wait: { method: "GET", path: "/v1/sessions/:session/wait" },
  waitMany: { method: "GET", path: "/v1/wait" },
  attach: { method: "GET", path: "/v1/sessions/:session/attach" },
  stop: { method: "POST", path: "/v1/sessions/:session/stop" },
  resume: { method: "POST", path: "/v1/sessions/:session/resume" },
} as const satisfies Record<string, { method: "GET" | "POST" | "DELETE"; path: string }>;

export type RouteName = keyof typeof PATHS;

/** The daemon's version travels in this header of every answer. */
export const VERSION_HEADER = "tmpm-version";
