import { type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { type AcceptedSend, acceptSend, type SendRequest } from "../delivery/accept.js";
import { causeOf } from "./causation.js";

export interface Sending {
  /** The session that sends; null for a user. */
  readonly actor: string | null;
  readonly target: SessionRecord;
  readonly request: SendRequest;
}

/** Only a user may type an answer to a dialog, or a command to the agent. */
const PERSONS = ["now", "interrupt", "as_command"] as const;

/**
 * Accepts a text. Sessions' sends are counted and accepted sequentially, so that no two of them pass a limit together. @throws like
 * `causeOf` and `acceptSend`
 */
export async function acceptFrom(ctx: Context, { actor, target, request }: Sending): Promise<AcceptedSend> {
  if (actor === null) return acceptSend(ctx, request);
  for (const field of PERSONS) if (request[field]) throw notAsSession(field);
  const cause = () => causeOf(ctx, { actor, target, text: request.text });
  return ctx.queues.causing.run("sends", () => acceptSend(ctx, { ...request, cause }));
}

function notAsSession(field: string): TmpmError {
  return new TmpmError("RIGHTS_EXCEEDED", `a session cannot send with ${field}: only the user may`, {
    hint: "By default, a text waits for the agent to become ready; with `queue`, it waits indefinitely.",
    details: { field },
  });
}
