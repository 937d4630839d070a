import { CONTRACTS, PATHS, type RouteName } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import type { Supervisor } from "@tmpm/supervisor";

export interface OwnedRequest {
  readonly name: RouteName;
  readonly input: Readonly<Record<string, unknown>>;
  /** The client that the caller speaks for; null for one that speaks for all. */
  readonly client: string | null;
}

/**
 * The one rule of owners, asked before any route is answered: a client changes nothing of a session that another client owns, and makes none for another. Reading
 * is open to every client, and so is what a session reports of itself. @throws SESSION_NOT_OWNED, and what finding the session throws
 */
export async function requireOwned(supervisor: Pick<Supervisor, "requireOwned">, { name, input, client }: OwnedRequest): Promise<void> {
  const acting = client ?? textOf(input.client);
  if (acting === null || !changesSessions(name, input)) return;
  for (const session of [textOf(input.session), textOf(input.as)])
    if (session !== null) await supervisor.requireOwned({ session, client: acting });
  const owner = textOf(input.owner);
  if (owner !== null && owner !== acting)
    throw new TmpmError("SESSION_NOT_OWNED", `a session for ${owner} cannot be made by ${acting}`, {
      hint: "A token makes sessions for the client of its own name; one of the scope admin makes them for anyone.",
      details: { owner },
    });
}

/** Attaching hands over a terminal to type in, unless it only shows. */
function changesSessions(name: RouteName, { read_only }: OwnedRequest["input"]): boolean {
  if (name === "attach") return read_only !== true;
  return PATHS[name].method !== "GET" && CONTRACTS[name].scope !== "session";
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
