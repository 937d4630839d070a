import type { DeviceAnswer, TokenAnswer } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { type Caller, may, scopeOf } from "../guard/caller.js";
import type { Connections } from "../guard/connections.js";
import type { Push } from "../push/push.js";
import type { Logins } from "../tokens/logins.js";
import type { Token } from "../tokens/token.js";
import type { IssuedToken, Tokens } from "../tokens/tokens.js";
import type { Handlers } from "./handlers.js";

/** The routes for tokens and devices. */
export type Access = Push["routes"] &
  Pick<
    Handlers,
    "whoami" | "tokens" | "createToken" | "rotateToken" | "revokeToken" | "createLoginCode" | "login" | "audit" | "devices" | "revokeDevice"
  >;

export interface AccessParts {
  readonly tokens: Tokens;
  readonly connections: Connections;
  readonly logins: Logins;
  readonly push: Push;
  readonly audit: Access["audit"];
}

export function access({ tokens, connections, logins, push, audit }: AccessParts): Access {
  const deviceAnswer = ({ id, name, scope, created_at, expires_at, last_used_at }: Token, caller: Caller): DeviceAnswer => ({
    ...{ id, name, scope, created_at, expires_at },
    last_seen_at: last_used_at,
    current: caller.kind === "login" && caller.token.id === id,
    push: push.isSubscribed(id),
  });
  const browsers = () => tokens.list().filter(({ kind }) => kind === "login");
  return {
    ...push.routes,
    devices: async (_input, { admitted }) => ({ devices: browsers().map((each) => deviceAnswer(each, admitted.caller)), next: null }),
    revokeDevice: async ({ device }, { admitted: { caller }, connection }) => {
      const found = browsers().find(({ id, name }) => id === device || name === device);
      if (found === undefined)
        throw new TmpmError("TOKEN_NOT_FOUND", "no device has this name or id", { hint: "`tmpm web devices` lists them." });
      if (!may(caller, found.scope))
        throw new TmpmError("SCOPE_REFUSED", "this device has more rights than you, so you cannot log it out", {
          hint: "`tmpm web devices revoke` in a terminal does.",
        });
      const answer = deviceAnswer(found, caller);
      await tokens.revoke(found.id);
      connections.end(found.id, connection);
      await push.forget(found.id);
      return answer;
    },
    audit,
    whoami: async (_, { admitted: { caller } }) => ({
      // The guard admits no caller without a scope.
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
      await push.forget(revoked.id);
      return tokenAnswer(revoked);
    },
    createLoginCode: async ({ scope }) => logins.code(scope),
    login: async (wanted, { admitted, header }) => {
      const { token, cookie } = await logins.login(wanted, admitted);
      header("set-cookie", cookie);
      return { scope: token.scope, expires_at: token.expires_at };
    },
  };
}

function issued({ token, secret }: IssuedToken) {
  return { ...tokenAnswer(token), secret };
}

function tokenAnswer({ sha256: _, ...shown }: Token): TokenAnswer {
  return shown;
}
