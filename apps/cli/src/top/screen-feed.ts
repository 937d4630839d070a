import type { ScreenAnswer } from "@tmpm/api";
import type { Client, Terminal } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core";
import type { SeenScreen } from "./state.js";

export interface ScreenFeedOptions {
  /** The daemon of a machine; null for this one. */
  readonly client: (node: string | null) => Pick<Client, "capture">;
  readonly terminal: (session: Pick<Watched, "node" | "id">) => Promise<Terminal>;
  readonly send: (screen: SeenScreen) => void;
  readonly fail: (error: unknown) => void;
}

/** A session to watch. A new `launch` of the same session is a new terminal. */
export interface Watched {
  readonly key: string;
  readonly id: string;
  readonly node: string | null;
  readonly live: boolean;
  readonly launch: string | null;
}

export interface ScreenFeed {
  /** Watches only this session from now on. */
  watch(session: Watched | null): void;
  /** A session, by its key, or the daemon had an event: a terminal that could not be followed is retried. */
  happened(session: string): void;
}

/** Selections that change within this time are skipped, in ms. */
const SETTLE_MS = 60;
const BETWEEN_LOOKS_MS = 100;

/** The screen of one session at a time: the terminal's stream signals output, tmux provides the screen. */
export function screenFeed(options: ScreenFeedOptions): ScreenFeed {
  let current: { readonly session: Watched; readonly watch: Watch } | null = null;
  function begin(session: Watched | null): void {
    current?.watch.end();
    current = session === null ? null : { session, watch: watching(session, options) };
  }
  return {
    watch(session) {
      if (!isSame(session, current?.session ?? null)) begin(session);
    },
    happened(key) {
      if (current?.session.key === key && current.watch.isDeaf()) begin(current.session);
    },
  };
}

function isSame(a: Watched | null, b: Watched | null): boolean {
  return a?.key === b?.key && a?.live === b?.live && a?.launch === b?.launch;
}

interface Watch {
  /** Output is not signalled. */
  isDeaf(): boolean;
  end(): void;
}

function watching(session: Watched, { client, terminal, send, fail }: ScreenFeedOptions): Watch {
  let [ended, deaf] = [false, false];
  let open: Terminal | null = null;
  const over = new AbortController();
  const looks = sparing(async () => {
    const screen = await capture({ client: client(session.node), signal: over.signal }, session);
    if (!ended && screen !== null) send(screen);
  }, fail);

  async function follow(): Promise<void> {
    open = await terminal(session);
    if (ended) return open.close();
    for await (const event of open) {
      if (event.kind === "screen")
        send({ session: session.key, lines: event.screen.lines, cursorRow: event.screen.cursor.row, live: true });
      else looks.wanted();
    }
  }

  async function begin(): Promise<void> {
    looks.wanted();
    try {
      if (session.live) await follow();
    } catch (error) {
      // A terminal that cannot be followed is captured when its session has an event.
      if (!isTmpmError(error)) fail(error);
    }
    deaf = true;
  }

  const settled = setTimeout(() => void begin(), SETTLE_MS);
  return {
    isDeaf: () => deaf,
    end() {
      ended = true;
      over.abort();
      clearTimeout(settled);
      looks.end();
      open?.close();
    },
  };
}

/** Null without a screen. */
async function capture(
  { client, signal }: { readonly client: Pick<Client, "capture">; readonly signal: AbortSignal },
  { key, id }: Watched,
): Promise<SeenScreen | null> {
  try {
    const { lines, cursor, live }: ScreenAnswer = await client.capture({ session: id }, { signal });
    return { session: key, lines, cursorRow: cursor.row, live };
  } catch (error) {
    // The list shows the session's state, and the next event triggers another capture.
    if (isTmpmError(error) || signal.aborted) return null;
    throw error;
  }
}

/** Throttled: runs immediately, then after a minimum interval, never concurrently. */
function sparing(run: () => Promise<void>, fail: (error: unknown) => void) {
  let timer: NodeJS.Timeout | null = null;
  let again = false;
  let ended = false;
  function wanted(): void {
    again = true;
    if (timer !== null || ended) return;
    again = false;
    timer = setTimeout(() => {
      timer = null;
      if (again) wanted();
    }, BETWEEN_LOOKS_MS);
    run().catch(fail);
  }
  return {
    wanted,
    end() {
      ended = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
