import type { TokenScope } from "@tmpm/api";
import { TmpmError, timestampFromMs } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import { digestOf, isSecret, sameDigest, secretFrom } from "./secret.js";
import type { Token } from "./token.js";

/** The tokens of this home. Changes are durable before they resolve. */
export interface Tokens {
  /** The token of a secret; null if unknown or expired. */
  find(secret: string): Token | null;
  /** Records a token's use; persisted occasionally. */
  used(id: string): void;
  /** Valid tokens, newest last. */
  list(): readonly Token[];
  /** @throws NAME_TAKEN */
  create(wanted: NewToken): Promise<IssuedToken>;
  /** The same token with a new secret; the old one is revoked. @throws TOKEN_NOT_FOUND */
  rotate(nameOrId: string): Promise<IssuedToken>;
  /** @throws TOKEN_NOT_FOUND */
  revoke(nameOrId: string): Promise<Token>;
  /** Whether a token is currently valid. */
  isGood(id: string): boolean;
  /** The same, and its secret has not changed. */
  isCurrent(token: Token): boolean;
}

export interface NewToken {
  /** Derived from the scope when omitted. */
  readonly name?: string | undefined;
  readonly kind: Token["kind"];
  readonly scope: TokenScope;
  /** From now, in ms; unlimited when omitted. */
  readonly expiresMs?: number | undefined;
}

/** The only place where the secret is shown. */
export interface IssuedToken {
  readonly token: Token;
  readonly secret: string;
}

export interface TokensOptions {
  readonly documents: DocumentStore<Token>;
  /** Wall clock in milliseconds. */
  readonly clock: () => number;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

/** Minimum interval between writes of the last use. */
const USED_MS = 60_000;
/** Maximum number of logged-in browsers; the oldest is logged out when exceeded. */
const MAX_LOGINS = 100;

export async function tokens(options: TokensOptions): Promise<Tokens> {
  const { documents, clock, newId, randomBytes, report } = options;
  const { documents: kept, damaged } = await documents.all();
  for (const { path, reason } of damaged) report({ doing: `reading the token in ${path}`, error: new Error(reason) });
  const byAge = [...kept.values()].sort((one, other) => one.created_at.localeCompare(other.created_at));
  const all = new Map(byAge.map((token) => [token.id, token]));

  const isGoodNow = ({ expires_at }: Token) => expires_at === null || Date.parse(expires_at) > clock();
  const good = () => [...all.values()].filter(isGoodNow);

  /** In memory first: a concurrent write must not restore the old state. */
  async function write(token: Token): Promise<void> {
    const before = all.get(token.id);
    all.set(token.id, token);
    try {
      await documents.put(token.id, token);
    } catch (error) {
      if (before === undefined) all.delete(token.id);
      else all.set(token.id, before);
      throw error;
    }
  }

  /** It is revoked even if the disk fails, which its owner sees as an error. */
  async function forget(token: Token): Promise<void> {
    all.delete(token.id);
    await documents.delete(token.id);
  }

  function named(nameOrId: string): Token {
    const token = good().find(({ id, name }) => id === nameOrId || name === nameOrId);
    if (token !== undefined) return token;
    throw new TmpmError("TOKEN_NOT_FOUND", "a token with this name or id does not exist", { hint: "`tmpm token ls` lists them." });
  }

  return {
    find(secret) {
      const digest = isSecret(secret) ? digestOf(secret) : null;
      // All are compared, so that timing reveals nothing.
      const matching = digest === null ? [] : [...all.values()].filter(({ sha256 }) => sameDigest(sha256, digest));
      return matching.find(isGoodNow) ?? null;
    },
    used(id) {
      const token = all.get(id);
      if (token === undefined || (token.last_used_at !== null && clock() - Date.parse(token.last_used_at) < USED_MS)) return;
      const current = { ...token, last_used_at: timestampFromMs(clock()) };
      all.set(id, current);
      documents.put(id, current).catch((error: unknown) => report({ doing: "saving the last use of a token", error }));
    },
    list: good,
    async create({ name, kind, scope, expiresMs }) {
      for (const token of all.values()) if (!isGoodNow(token)) await forget(token);
      const logins = good().filter((token) => token.kind === "login");
      if (kind === "login") for (const oldest of logins.slice(0, Math.max(0, logins.length - MAX_LOGINS + 1))) await forget(oldest);
      const id = newId();
      const chosen = name ?? `${kind === "login" ? "login" : scope}-${id.slice(0, 8)}`;
      if (good().some((token) => token.name === chosen))
        throw new TmpmError("NAME_TAKEN", `a token named ${chosen} already exists`, { details: { name: chosen } });
      const secret = secretFrom(randomBytes(32));
      const expires_at = expiresMs === undefined ? null : timestampFromMs(clock() + expiresMs);
      const common = { id, name: chosen, kind, scope, sha256: digestOf(secret), expires_at };
      const token = { ...common, created_at: timestampFromMs(clock()), last_used_at: null };
      await write(token);
      return { token, secret };
    },
    async rotate(nameOrId) {
      const secret = secretFrom(randomBytes(32));
      const token = { ...named(nameOrId), sha256: digestOf(secret) };
      await write(token);
      return { token, secret };
    },
    async revoke(nameOrId) {
      const token = named(nameOrId);
      await forget(token);
      return token;
    },
    isGood: (id) => good().some((token) => token.id === id),
    isCurrent: ({ id, sha256 }) => good().some((token) => token.id === id && token.sha256 === sha256),
  };
}
