import { CONTRACTS, PATHS, type RouteName } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import type { Supervisor } from "@tmpm/supervisor";

export interface OwnedRequest {
  readonly name: RouteName;
  readonly input: Readonly<Record<string, unknown>>;
  /** The client that the caller represents; null for one that represents all. */
  readonly client: string | null;
}

/**
 * The ownership rule, checked before any route: a client may not change another client's session, nor create one for another. Reading
 * is open to every client, and so are a session's own reports. @throws SESSION_NOT_OWNED, and the errors of resolving the session
 */
export async function requireOwned(supervisor: Pick<Supervisor, "requireOwned">, { name, input, client }: OwnedRequest): Promise<void> {
  const acting = client ?? textOf(input.client);
  if (acting === null || !changesSessions(name, input)) return;
  for (const session of [textOf(input.session), textOf(input.as)])
    if (session !== null) await supervisor.requireOwned({ session, client: acting });
  const owner = textOf(input.owner);
  if (owner !== null && owner !== acting)
    throw new TmpmError("SESSION_NOT_OWNED", `${acting} cannot create a session for ${owner}`, {
      hint: "A token creates sessions for the client of its own name; one with scope admin for any client.",
      details: { owner },
    });
}

/** Attaching allows typing, unless it is read-only. */
function changesSessions(name: RouteName, { read_only }: OwnedRequest["input"]): boolean {
  if (name === "attach") return read_only !== true;
  return PATHS[name].method !== "GET" && CONTRACTS[name].scope !== "session";
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
