import type { TokenAnswer } from "@tmpm/api";
import { scopeOf } from "./guard/caller.js";
import type { Connections } from "./guard/connections.js";
import type { Handlers } from "./handlers.js";
import type { Logins } from "./tokens/logins.js";
import type { Token } from "./tokens/token.js";
import type { IssuedToken, Tokens } from "./tokens/tokens.js";

/** The routes of who may what. */
export type Access = Pick<
  Handlers,
  "whoami" | "tokens" | "createToken" | "rotateToken" | "revokeToken" | "createLoginCode" | "login" | "audit"
>;

export interface AccessParts {
  readonly tokens: Tokens;
  readonly connections: Connections;
  readonly logins: Logins;
  readonly audit: Access["audit"];
}

export function access({ tokens, connections, logins, audit }: AccessParts): Access {
  return {
    audit,
    whoami: async (_, { admitted: { caller } }) => ({
      // The guard lets nobody without a scope come here.
      scope: scopeOf(caller) ?? "observer",
      token: caller.kind === "token" || caller.kind === "login" ? tokenAnswer(caller.token) : null,
    }),
    tokens: async () => ({ tokens: tokens.list().map(tokenAnswer), next: null }),
    createToken: async ({ scope, name, expires_ms }) => issued(await tokens.create({ kind: "bearer", scope, name, expiresMs: expires_ms })),
    rotateToken: async ({ token }, { connection }) => {
      const rotated = await tokens.rotate(token);
      connections.end(rotated.token.id, connection);
      return issued(rotated);
    },
    revokeToken: async ({ token }, { connection }) => {
      const revoked = await tokens.revoke(token);
      connections.end(revoked.id, connection);
      return tokenAnswer(revoked);
    },
    createLoginCode: async ({ scope }) => logins.code(scope),
    login: async ({ code }, { admitted, header }) => {
      const { token, cookie } = await logins.login(code, admitted);
      header("set-cookie", cookie);
      return { scope: token.scope, expires_at: token.expires_at };
    },
  };
}

function issued({ token, secret }: IssuedToken) {
  return { ...tokenAnswer(token), secret };
}

function tokenAnswer({ sha256: _, ...told }: Token): TokenAnswer {
  return told;
}
