import { isTmpmError, type TmpmError } from "@tmpm/core";
import { requireSupported } from "./capabilities.js";
import type { Command, Reply } from "./channel.js";
import { isServerAbsent, type Refusal, refusalError } from "./failure.js";
import { CLIENT_FORMAT, parseRows, type Rows, SERVER_FORMAT } from "./pane-row.js";
import type { ServerContext } from "./server-context.js";
import { wakeForUnnoticedExits } from "./unnoticed-exits.js";

/** `refused` keeps what the server told of itself before the refusal. */
export type Look =
  | { readonly kind: "seen"; readonly rows: Rows; readonly texts: readonly string[] }
  | { readonly kind: "refused"; readonly rows: Rows; readonly refusal: Refusal }
  | { readonly kind: "no_server"; readonly refusal: Refusal }
  | { readonly kind: "unanswered"; readonly error: TmpmError };

export interface Glance {
  /** What prints rows, and nothing that a program in a pane can choose. */
  readonly rows: readonly Command[];
  /** What prints anything: each command's output becomes one of `texts`. */
  readonly texts?: readonly Command[];
}

/** Runs reading commands and reads the rows among what they print, with the server's own row and its clients in the same step. */
export async function look(context: ServerContext, glance: Glance): Promise<Look> {
  const seen = await lookOnce(context, glance);
  const incomplete = seen.kind === "seen" && (await wakeForUnnoticedExits(context.processes, seen.rows));
  return incomplete ? lookOnce(context, glance) : seen;
}

/** A screen may hold lines that look like rows, so it stands behind a line that no program can know. */
async function lookOnce(context: ServerContext, { rows, texts = [] }: Glance): Promise<Look> {
  const mark = `tmpm-text-${context.nonce()}`;
  const reply = await context.channel.ask({
    kind: "read",
    commands: [
      ["display-message", "-p", SERVER_FORMAT],
      ["list-clients", "-F", CLIENT_FORMAT],
      ...rows,
      ...texts.flatMap((command): Command[] => [["display-message", "-p", mark], command]),
    ],
  });
  if (reply.kind === "unanswered") return reply;
  const [output = "", ...printed] = reply.output.split(`${mark}\n`);
  const seen = readLook(context, { ...reply, output });
  return seen.kind === "seen" ? { ...seen, texts: printed } : seen;
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
    return reply.kind === "refused" ? { kind: "refused", rows, refusal: reply.refusal } : { kind: "seen", rows, texts: [] };
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return { kind: "unanswered", error };
  }
}
