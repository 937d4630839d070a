import * as z from "zod";
import { type Contract, none } from "./contract.js";

export const WebAnswer = z.object({
  open: z.boolean().describe("Whether browsers can reach the daemon."),
  url: z.string().nullable().describe("Address of the listener; null when there is none."),
  by: z.enum(["web", "listen"]).nullable().describe("What opened it: `tmpm web`, or the daemon's settings at start."),
  page: z.boolean().describe("Whether this daemon was built with the dashboard."),
});
export type WebAnswer = z.infer<typeof WebAnswer>;

const EXAMPLE: WebAnswer = { open: true, url: "http://127.0.0.1:7777", by: "web", page: true };

const common = { params: none, query: none, status: 200, answer: WebAnswer } as const;

export const WEB_ROUTES = {
  web: {
    method: "GET",
    path: "/v1/web",
    ...common,
    scope: "observer",
    summary: "Where browsers reach the daemon",
    body: null,
    errors: [],
    example: { answer: EXAMPLE },
  },
  openWeb: {
    method: "POST",
    path: "/v1/web",
    ...common,
    scope: "admin",
    summary: "Opens a loopback listener for browsers, unless one is open",
    description:
      "By default uses the previous port, 7777 the first time, or another one if that is taken. It is reopened after a restart, until it is closed.",
    body: z.strictObject({ port: z.number().int().min(1).max(65_535).optional().describe("Use exactly this port.") }),
    errors: ["LISTEN_FAILED", "NOT_READY"],
    example: { body: {}, answer: EXAMPLE },
  },
  closeWeb: {
    method: "DELETE",
    path: "/v1/web",
    ...common,
    scope: "admin",
    summary: "Closes the listener for browsers",
    description: "Its connections end at once. Logins stay valid for the next time.",
    body: null,
    errors: ["LISTEN_REFUSED"],
    example: { answer: { open: false, url: null, by: null, page: true } },
  },
} as const satisfies Record<string, Contract>;
