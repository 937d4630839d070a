import { type PaneIdentity, TmpmError } from "@tmpm/core";
import { inTime } from "@tmpm/processes";
import { type Connection, connection } from "../control/connection.js";
import type { ControlItem } from "../control/parser.js";
import { requireRow } from "../observe/find.js";
import type { ClientOptions } from "../one-shot/client.js";
import type { ObserveContext } from "../server/server-context.js";

/**
 * tmux drops output that such a client has not read for this many seconds, and reports it; without this, a slow reader would block the
 * pane's program.
 */
const PAUSE_AFTER = 2;

/** Not `read-only`: tmux 3.8 accepts no keys for a session with only such a client. */
const FLAGS = `ignore-size,pause-after=${PAUSE_AFTER}`;

/** Notifications about another pane of the session, another window or another session of this name, after which a check is useful. */
const CHANGES = /^(?:layout-change|window-|unlinked-window-|sessions-changed)/;

export interface ReaderEvents {
  /** The pane's output, in order. */
  readonly bytes: (bytes: Buffer) => void;
  /** tmux dropped some of the pane's output. */
  readonly dropped: () => void;
  /** The pane may be gone, or elsewhere. */
  readonly changed: () => void;
}

/** A separate control-mode client on the pane's session: only such a client gets the pane's output. */
export interface Reader {
  readonly connection: Connection;
  /** tmux's id of the session that it is attached to. */
  readonly tmuxSession: string;
}

export interface ReaderOptions {
  readonly client: ClientOptions;
  readonly identity: PaneIdentity;
  readonly events: ReaderEvents;
}

/** @throws PANE_GONE, PANE_FOREIGN, TMUX_UNRESPONSIVE, TMUX_FAILED */
export async function openReader(context: ObserveContext, { client, identity, events }: ReaderOptions): Promise<Reader> {
  const { tmuxSession } = (await requireRow(context, identity)).row;
  const { program, env, deadlines, nonce, arrivals } = client;
  const made = await arrivals.admit(() =>
    connection({
      // A pane as the target would become the current one of its session.
      argv: [program, "-N", ...client.arguments, "-C", "attach-session", "-E", "-f", FLAGS, "-t", tmuxSession],
      env,
      deadlines,
      nonce,
      onLate: () => undefined,
      arrivals,
      onItem: (item) => take(item),
    }),
  );
  const take = (item: Exclude<ControlItem, { type: "block" }>) => {
    if (item.type === "output" && item.paneId === identity.pane_id) events.bytes(item.data);
    else if (item.type === "notification") heed(item);
  };
  const heed = ({ name, rest }: Extract<ControlItem, { type: "notification" }>) => {
    if (name === "pause" && rest === identity.pane_id) {
      void made.ask({ kind: "read", commands: [["refresh-client", "-A", `${identity.pane_id}:continue`]] });
      events.dropped();
    } else if (name === "session-changed" && !rest.startsWith(`${tmuxSession} `)) made.close();
    else if (CHANGES.test(name)) events.changed();
  };
  if ((await inTime(made.attached, deadlines.mutate)) === true) return { connection: made, tmuxSession };
  made.close();
  await requireRow(context, identity);
  throw new TmpmError("TMUX_FAILED", `tmux does not let any client read pane ${identity.pane_id}`);
}
