import { resolve } from "node:path";
import type { IssuedTokenAnswer, LoginCodeAnswer, TokenAnswer, TokenList, TokenScope } from "@tmpm/api";
import { command } from "../command.js";
import { NO_VALUES } from "../completion/completions.js";
import { parseDuration } from "../input/duration.js";
import { type SecretFile, secretFile } from "../input/secret-file.js";
import { workingDirectory } from "../input/working-directory.js";
import { usageError } from "../parse/usage-error.js";
import { answerOf, objectOf, TEXT } from "../printed.js";
import { fromNow } from "../render/age.js";
import { table } from "../render/table.js";

const SCOPES = ["observer", "operator", "admin"] as const satisfies readonly TokenScope[];
const ACTIONS = ["ls", "create", "rotate", "revoke", "login"] as const;

type Result =
  | { readonly kind: "list"; readonly list: TokenList }
  | { readonly kind: "issued"; readonly token: TokenAnswer; readonly secret: string | null; readonly file: string | null }
  | { readonly kind: "revoked"; readonly token: TokenAnswer }
  | { readonly kind: "login"; readonly login: LoginCodeAnswer };

export const token = command({
  name: "token",
  group: "Set up tmpm",
  summary: "Create, list, rotate and revoke access tokens",
  more: `Scopes: observer reads; operator also changes sessions; admin does everything. A secret is shown once. Clients take it from TMPM_TOKEN, or
from the file that TMPM_TOKEN_FILE names, which must be yours. See docs/security.md.

  tmpm token create --scope observer --name wall --expires 30d
  tmpm token create --scope operator --file ~/.tmpm-token    written to a new file
  tmpm token rotate wall                                     new secret; connections with the old one are closed
  tmpm token revoke wall
  tmpm token login                                           single-use address for a browser, valid for a minute`,
  args: {
    action: { takes: "optional", label: "ACTION", summary: "ls (default), create, rotate, revoke or login", choices: ACTIONS },
    token: {
      takes: "optional",
      label: "TOKEN",
      summary: "rotate, revoke: token name or id",
      completes: ([action]) => (action === "rotate" || action === "revoke" ? { kind: "tokens" } : NO_VALUES),
    },
  },
  options: {
    scope: { takes: "text", label: "SCOPE", summary: "create: observer, operator or admin; login: default operator" },
    name: { takes: "text", label: "NAME", summary: "create: name (default: derived from the scope)" },
    expires: { takes: "text", label: "TIME", summary: "create: lifetime, such as 90s, 15m, 12h or 30d (default: unlimited)" },
    file: { takes: "text", label: "F", summary: "create, rotate: write the secret to a new file with mode 0600" },
  },
  printed: {
    forms: [
      answerOf("tokens"),
      answerOf("createToken"),
      { allOf: [answerOf("revokeToken"), objectOf({ file: TEXT })] },
      answerOf("revokeToken"),
      answerOf("createLoginCode"),
    ],
  },
  modes: [
    {
      of: ({ action = "ls" }) => action,
      takenBy: { scope: ["create", "login"], name: ["create"], expires: ["create"], file: ["create", "rotate"] },
    },
  ],
  async run({ action = "ls", token: named, scope, name, expires, file }, context): Promise<Result> {
    if ((action === "rotate" || action === "revoke") !== (named !== undefined))
      throw usageError(named === undefined ? "the token is missing" : `${action} does not accept a token`, "See `tmpm token --help`.");
    switch (action) {
      case "ls":
        return { kind: "list", list: await context.client().tokens() };
      case "create": {
        if (scope === undefined) throw usageError("the scope is missing", "tmpm token create --scope observer");
        const body = { scope: readScope(scope), name, expires_ms: expires === undefined ? undefined : parseDuration(expires, "--expires") };
        return issue(file, () => context.client().createToken(body));
      }
      case "rotate":
        return issue(file, () => context.client().rotateToken({ token: named ?? "" }));
      case "revoke":
        return { kind: "revoked", token: await context.client().revokeToken({ token: named ?? "" }) };
      case "login":
        return { kind: "login", login: await context.client().createLoginCode(scope === undefined ? {} : { scope: readScope(scope) }) };
    }
  },
  render(result, view) {
    switch (result.kind) {
      case "list":
        return result.list.tokens.length === 0
          ? ""
          : table({ head: HEAD, rows: result.list.tokens.map((each) => row(each, view.now)), spare: [2, 3, 5] }, view);
      case "issued":
        return result.secret ?? `the secret of ${result.token.name} is in ${result.file}`;
      case "revoked":
        return `${result.token.name} is revoked`;
      case "login":
        return result.login.url;
    }
  },
  json(result) {
    switch (result.kind) {
      case "list":
        return JSON.stringify(result.list);
      case "issued":
        return JSON.stringify({ ...result.token, ...(result.secret === null ? { file: result.file } : { secret: result.secret }) });
      case "revoked":
        return JSON.stringify(result.token);
      case "login":
        return JSON.stringify(result.login);
    }
  },
  notes(result) {
    if (result.kind === "list")
      return result.list.tokens.length === 0 ? ["no tokens; create one with `tmpm token create --scope SCOPE`"] : [];
    if (result.kind === "issued" && result.secret !== null)
      return [`token ${result.token.name} (${result.token.scope}); it is shown only once`];
    return result.kind === "login" ? ["open it in a browser on this machine within a minute"] : [];
  },
});

/** The file is written first, because the secret cannot be read again. */
async function issue(file: string | undefined, ask: () => Promise<IssuedTokenAnswer>): Promise<Result> {
  const path = file === undefined ? null : resolve(workingDirectory(), file);
  const kept: SecretFile | null = path === null ? null : secretFile(path);
  try {
    const { secret, ...issued } = await ask();
    kept?.write(secret);
    return { kind: "issued", token: issued, secret: kept === null ? secret : null, file: path };
  } catch (error) {
    kept?.discard();
    throw error;
  }
}

function readScope(text: string): TokenScope {
  const scope = SCOPES.find((known) => known === text);
  if (scope === undefined) throw usageError(`${JSON.stringify(text)} is not a scope`, `Choose ${SCOPES.join(", ")}.`);
  return scope;
}

const HEAD = ["TOKEN", "SCOPE", "KIND", "MADE", "EXPIRES", "LAST USED", "ID"];

function row({ id, name, kind, scope, created_at, expires_at, last_used_at }: TokenAnswer, now: number): readonly string[] {
  const when = (at: string | null) => (at === null ? "never" : fromNow(at, now));
  return [name, scope, kind, when(created_at), when(expires_at), when(last_used_at), id];
}
