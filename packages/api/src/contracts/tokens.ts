import { Slug, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { TOKEN_SCOPES } from "../scope.js";
import { type Contract, none } from "./contract.js";

const scope = z.enum(TOKEN_SCOPES);

/** A token's visible data, without its secret. */
export const TokenAnswer = z.object({
  id: z.string(),
  name: Slug,
  kind: z.enum(["bearer", "login"]).describe("`bearer` is sent in a header, `login` is a browser's cookie."),
  scope,
  created_at: Timestamp,
  expires_at: Timestamp.nullable().describe("Null if it does not expire."),
  last_used_at: Timestamp.nullable().describe("To the minute; null if it was never used."),
});
export type TokenAnswer = z.infer<typeof TokenAnswer>;

export const TokenList = z.object({ tokens: z.array(TokenAnswer), next: z.string().nullable() });
export type TokenList = z.infer<typeof TokenList>;

export const IssuedTokenAnswer = TokenAnswer.extend({ secret: z.string().describe("Shown only once; not stored.") });
export type IssuedTokenAnswer = z.infer<typeof IssuedTokenAnswer>;

const YEARS_10_MS = 10 * 366 * 24 * 3_600_000;

export const TokenBody = z.strictObject({
  scope,
  name: Slug.optional().describe("Derived from the scope by default."),
  expires_ms: z.number().int().min(1_000).max(YEARS_10_MS).optional().describe("Lifetime from now; by default, the token does not expire."),
});
export type TokenBody = z.input<typeof TokenBody>;

export const LoginCodeAnswer = z.object({
  code: z.string().describe("Valid once, on the address of `url`."),
  url: z.string().describe("For a browser on this machine. The code is in its fragment, which browsers do not send."),
  scope,
  expires_at: Timestamp,
});
export type LoginCodeAnswer = z.infer<typeof LoginCodeAnswer>;

export const WhoamiAnswer = z.object({
  scope: scope.describe("What the caller may do."),
  token: TokenAnswer.nullable().describe("The token or login presented; null on the socket without one."),
});
export type WhoamiAnswer = z.infer<typeof WhoamiAnswer>;

export const LoginAnswer = z.object({ scope, expires_at: Timestamp.nullable() });
export type LoginAnswer = z.infer<typeof LoginAnswer>;

const token = z.object({ token: z.string().min(1).max(100).describe("A token's name or id.") });

const EXAMPLE_TOKEN: TokenAnswer = {
  id: "1f0c7a52-5b0e-4d52-9d0a-6a3f7f1f2c11",
  name: "dashboard",
  kind: "bearer",
  scope: "observer",
  created_at: "2026-01-02T03:04:05Z",
  expires_at: null,
  last_used_at: null,
};
const EXAMPLE_SECRET = "tmpm_VGhpcyBpcyBhbiBleGFtcGxlLCBhbmQgbm8gc2VjcmV0Lg";

export const TOKEN_ROUTES = {
  whoami: {
    method: "GET",
    path: "/v1/whoami",
    scope: "observer",
    summary: "The caller's identity and scope",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: WhoamiAnswer,
    errors: [],
    example: { answer: { scope: "observer", token: EXAMPLE_TOKEN } },
  },
  tokens: {
    method: "GET",
    path: "/v1/tokens",
    scope: "admin",
    summary: "The valid tokens",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: TokenList,
    errors: [],
    example: { answer: { tokens: [EXAMPLE_TOKEN], next: null } },
  },
  createToken: {
    method: "POST",
    path: "/v1/tokens",
    scope: "admin",
    secret: true,
    summary: "Creates a token",
    description: "This response is the only place that shows its secret.",
    params: none,
    query: none,
    body: TokenBody,
    status: 201,
    answer: IssuedTokenAnswer,
    errors: ["NAME_TAKEN"],
    example: { body: { scope: "observer", name: "dashboard" }, answer: { ...EXAMPLE_TOKEN, secret: EXAMPLE_SECRET } },
  },
  rotateToken: {
    method: "POST",
    path: "/v1/tokens/:token/rotate",
    scope: "admin",
    secret: true,
    summary: "Replaces a token's secret",
    description: "Connections opened with the old one end at once: requests, streams and WebSockets.",
    params: token,
    query: none,
    body: none,
    status: 200,
    answer: IssuedTokenAnswer,
    errors: ["TOKEN_NOT_FOUND"],
    example: { params: { token: "dashboard" }, answer: { ...EXAMPLE_TOKEN, secret: EXAMPLE_SECRET } },
  },
  revokeToken: {
    method: "DELETE",
    path: "/v1/tokens/:token",
    scope: "admin",
    summary: "Revokes a token",
    description: "Connections opened with it end at once: requests, streams and WebSockets.",
    params: token,
    query: none,
    body: null,
    status: 200,
    answer: TokenAnswer,
    errors: ["TOKEN_NOT_FOUND"],
    example: { params: { token: "dashboard" }, answer: EXAMPLE_TOKEN },
  },
  createLoginCode: {
    method: "POST",
    path: "/v1/login-codes",
    scope: "admin",
    secret: true,
    summary: "Creates a one-time login code for a browser",
    description: "Valid for one minute, on the daemon's first TCP address.",
    params: none,
    query: none,
    body: z.strictObject({ scope: scope.default("operator") }),
    status: 201,
    answer: LoginCodeAnswer,
    errors: ["LISTEN_REFUSED"],
    example: {
      body: { scope: "operator" },
      answer: {
        code: "Jq0c1qkPfEJ3G5Yb7bW0Vw",
        url: "http://k3v9x2mq.localhost:7777/login#Jq0c1qkPfEJ3G5Yb7bW0Vw",
        scope: "operator",
        expires_at: "2026-01-02T03:05:05Z",
      },
    },
  },
  login: {
    method: "POST",
    path: "/v1/login",
    scope: "anyone",
    secret: true,
    summary: "Exchanges a code for a browser's cookie",
    description: "Over TCP, from a page of the daemon itself. The cookie is `HttpOnly` and `SameSite=Strict`, and valid for thirty days.",
    params: none,
    query: none,
    body: z.strictObject({
      code: z.string().min(1).max(100),
      device: z.string().max(100).optional().describe("The browser's description for the list of devices, such as `Chrome on Android`."),
    }),
    status: 200,
    answer: LoginAnswer,
    errors: [],
    example: { body: { code: "Jq0c1qkPfEJ3G5Yb7bW0Vw" }, answer: { scope: "operator", expires_at: "2026-02-01T03:04:05Z" } },
  },
} as const satisfies Record<string, Contract>;
