import { isTmpmError, type TmpmError } from "@tmpm/core";
import { requireSupported } from "./capabilities.js";
import type { Command, Reply } from "./channel.js";
import { isServerAbsent, type Refusal, refusalError } from "./failure.js";
import { CLIENT_FORMAT, parseRows, type Rows, SERVER_FORMAT } from "./pane-row.js";
import type { ServerContext } from "./server-context.js";
import { wakeForUnnoticedExits } from "./unnoticed-exits.js";

/** `refused` keeps what the server told of itself before the refusal. */
export type Look =
  | { readonly kind: "seen"; readonly rows: Rows; readonly output: string }
  | { readonly kind: "refused"; readonly rows: Rows; readonly refusal: Refusal }
  | { readonly kind: "no_server"; readonly refusal: Refusal }
  | { readonly kind: "unanswered"; readonly error: TmpmError };

/** Runs reading commands and reads the rows among what they print, with the server's own row and its clients in the same step. */
export async function look(context: ServerContext, commands: readonly Command[]): Promise<Look> {
  const seen = await lookOnce(context, commands);
  const incomplete = seen.kind === "seen" && (await wakeForUnnoticedExits(context.processes, seen.rows));
  return incomplete ? lookOnce(context, commands) : seen;
}

async function lookOnce(context: ServerContext, commands: readonly Command[]): Promise<Look> {
  const reply = await context.channel.ask({
    kind: "read",
    commands: [["display-message", "-p", SERVER_FORMAT], ["list-clients", "-F", CLIENT_FORMAT], ...commands],
  });
  return readLook(context, reply);
}

/** The same for a reply in hand whose commands began with the server's row. */
export function readLook(context: ServerContext, reply: Reply): Look {
  if (reply.kind === "unanswered") return reply;
  if (reply.kind === "refused" && isServerAbsent(reply.refusal)) return { kind: "no_server", refusal: reply.refusal };
  if (reply.kind === "refused" && reply.output.trim() === "") return { kind: "unanswered", error: refusalError(reply.refusal) };
  try {
    const rows = parseRows(reply.output);
    requireSupported(rows.server.version);
    context.known.remember(rows.server);
    return reply.kind === "refused" ? { kind: "refused", rows, refusal: reply.refusal } : { kind: "seen", rows, output: reply.output };
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return { kind: "unanswered", error };
  }
}
