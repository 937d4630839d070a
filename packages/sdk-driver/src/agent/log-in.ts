import { type AuthMethod, type ClientContext, methods, RequestError } from "@agentclientprotocol/sdk";
import { errorWords } from "./error-words.js";
import { NoConversation } from "./no-conversation.js";

export interface LogIn {
  /** Methods that the agent offers. */
  readonly ways: readonly AuthMethod[];
  /** The environment of the agent. */
  readonly env: Readonly<Record<string, string>>;
  /** The agent's message when it required a login. */
  readonly why: string;
}

/** Names of environment variables, as agents write them into a method's name or description. */
const VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/gu;

/**
 * Logs in by the method that needs no user: one that takes a key from an environment variable which is set. Resolves with a description of
 * the login. @throws NoConversation, with the methods and the requirements of each
 */
export async function logIn(agent: ClientContext, login: LogIn): Promise<string> {
  const [found] = login.ways.flatMap((way) => {
    const variable = variablesOf(way).find((name) => (login.env[name] ?? "") !== "");
    return variable === undefined ? [] : [{ way, variable }];
  });
  if (found === undefined) throw new NoConversation(`the agent requires a login: ${login.why}`, howToLogIn(login.ways));
  try {
    await agent.request(methods.agent.authenticate, { methodId: found.way.id });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const message = `the agent requires a login, and did not accept ${found.variable} (${found.way.name}): ${errorWords(error)}`;
    throw new NoConversation(message, howToLogIn(login.ways));
  }
  return `logged in with ${found.variable} (${found.way.name})`;
}

function variablesOf({ id, name, description }: AuthMethod): readonly string[] {
  return [description ?? "", name, id].flatMap((text) => text.match(VARIABLE) ?? []);
}

/** One sentence for each method, and the next step. */
function howToLogIn(ways: readonly AuthMethod[]): string {
  if (ways.length === 0)
    return "The agent offers no login over the protocol. Log in with the agent's own program, then run `tmpm restart`.";
  const each = ways.map((way) => `${way.name}${needs(way)}.`).join(" ");
  return `${ways.length === 1 ? "Log in" : "Log in by one of these methods"}, then run \`tmpm restart\`: ${each}`;
}

function needs(way: AuthMethod): string {
  const command = commandOf(way);
  if (command !== null) return ` (run \`${command}\`)`;
  const description = way.description?.replace(/\.\s*$/u, "") ?? "";
  return description === "" || description === way.name ? "" : ` (${description})`;
}

/** The login command, which agents give in `_meta` until the protocol has a field for it. */
function commandOf({ _meta }: AuthMethod): string | null {
  const login: unknown = _meta?.["terminal-auth"];
  if (typeof login !== "object" || login === null || !("command" in login) || typeof login.command !== "string") return null;
  const args = "args" in login && Array.isArray(login.args) ? login.args.filter((arg) => typeof arg === "string") : [];
  return [login.command, ...args].join(" ");
}
