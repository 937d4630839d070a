import { isTmpmError, type TmpmError } from "@tmpm/core";
import { requireSupported } from "../capabilities.js";
import { isServerAbsent, type Refusal, refusalError } from "../failure.js";
import type { ObserveContext } from "../server/server-context.js";
import type { Command, Reply, Request } from "../transport/channel.js";
import { type RowFormats, type Rows, rowFormats } from "./pane-row.js";
import { readRows } from "./read-rows.js";
import { wakeForUnnoticedExits } from "./unnoticed-exits.js";

/** `refused` keeps the server's row from before the rejection. */
export type ServerObservation =
  | { readonly kind: "seen"; readonly rows: Rows; readonly texts: readonly string[] }
  | { readonly kind: "refused"; readonly rows: Rows; readonly refusal: Refusal }
  | { readonly kind: "no_server"; readonly refusal: Refusal }
  | { readonly kind: "unanswered"; readonly error: TmpmError };

/** The read commands of one query, which print by its formats. */
export type Glance = (formats: RowFormats) => readonly Command[];

/** Runs read commands and parses their output, with the server's own row and its clients in the same step. */
export async function observeServer(context: ObserveContext, glance: Glance): Promise<ServerObservation> {
  const withClients: Glance = (formats) => [["list-clients", "-F", formats.client], ...glance(formats)];
  const seen = await glanceOnce(context, withClients);
  const incomplete = seen.kind === "seen" && (await wakeForUnnoticedExits(context.processes, seen.rows));
  return incomplete ? glanceOnce(context, withClients) : seen;
}

/** Likewise without the clients. */
export async function glanceOnce(context: ObserveContext, glance: Glance): Promise<ServerObservation> {
  const mark = readMark(context);
  const formats = rowFormats(mark);
  const commands: Command[] = [["display-message", "-p", formats.server], ...glance(formats)];
  const reply = await context.channel.ask({ kind: "read", ...marked(commands, formats) });
  return readObservation(context, { reply, mark });
}

/** A final command that always prints marks the end. */
function marked(commands: readonly Command[], { end }: RowFormats): Pick<Request, "commands" | "ends"> {
  const [name, ...rest] = commands.at(-1) ?? [""];
  const format = rest.at(-1);
  if (name !== "display-message" || format === undefined) return { commands };
  return { commands: [...commands.slice(0, -1), [name, ...rest.slice(0, -1), `${end}${format}`]], ends: [end] };
}

/** The mark of one request. */
export function readMark({ nonce }: Pick<ObserveContext, "nonce">): string {
  return `tmpm-${nonce()}-`;
}

/** Parses a reply whose commands began with the server's row. */
export function readObservation(
  context: Pick<ObserveContext, "known">,
  { reply, mark }: { readonly reply: Reply; readonly mark: string },
): ServerObservation {
  if (reply.kind === "unanswered") return reply;
  if (reply.kind === "refused" && isServerAbsent(reply.refusal)) return { kind: "no_server", refusal: reply.refusal };
  if (reply.kind === "refused" && reply.output.trim() === "") return { kind: "unanswered", error: refusalError(reply.refusal) };
  try {
    const { texts, ...rows } = readRows(reply.output, mark);
    requireSupported(rows.server.version);
    context.known.remember(rows.server);
    return reply.kind === "refused" ? { kind: "refused", rows, refusal: reply.refusal } : { kind: "seen", rows, texts };
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return { kind: "unanswered", error };
  }
}
