import { hasCode, isTmpmError, TmpmError } from "@tmpm/core/errors";
import { linkedSignal } from "@tmpm/core/linked-signal";
import { type Attachment, attachTerminal } from "./attach-terminal.js";
import type { EndReason, ResyncReason, StreamScreen } from "./contracts.js";
import type { StreamTransport } from "./stream-transport.js";
import { type TerminalCommands, terminalCommands } from "./terminal-commands.js";
import { type EventQueue, eventQueue } from "./terminal-events.js";

/** A rendered screen, and in `paint` the bytes that bring a terminal of this size to it, from where it continues with byte `seq`. */
export interface TerminalScreen extends Omit<StreamScreen, "paint"> {
  readonly paint: Uint8Array;
}

export type TerminalEvent =
  /** First, and whenever bytes before it are missing: `reason` says why, and is null for the first; `note` says more, where there is more to say. */
  | { readonly kind: "screen"; readonly reason: ResyncReason | null; readonly note: string | null; readonly screen: TerminalScreen }
  /** Bytes as the program printed them; they begin where the event before ends. */
  | { readonly kind: "output"; readonly seq: number; readonly bytes: Uint8Array }
  | { readonly kind: "size"; readonly columns: number; readonly rows: number; readonly mine: boolean }
  /** The last: the program has ended, or its terminal is gone. */
  | { readonly kind: "end"; readonly reason: EndReason; readonly screen: TerminalScreen | null };

/** A session's terminal. It connects again on its own, also after a restart of the daemon or the session, and continues where it was. */
export interface Terminal extends AsyncIterable<TerminalEvent> {
  /** As a keyboard: control characters and escape sequences are keys. Resolves when it is typed. @throws what it was refused for */
  type(text: string): Promise<void>;
  /** By tmux's names. */
  keys(keys: readonly string[]): Promise<void>;
  paste(text: string): Promise<void>;
  /** Decides the size from now on, until `release`; with `takeOver` also in the place of another viewer. @throws INVALID_STATE while another does */
  resize(size: { readonly columns: number; readonly rows: number }, options?: { readonly takeOver?: boolean }): Promise<void>;
  release(): Promise<void>;
  close(): void;
}

export interface OpenTerminalOptions {
  readonly session: string;
  /** Ends the stream; its reader gets the signal's reason. */
  readonly signal?: AbortSignal;
  /** The caller's version of tmpm: a daemon of another one is an error. */
  readonly version?: string;
  /** Retries in a row while the daemon does not answer, more slowly each time, up to every 2 seconds; 60 when not given. */
  readonly attempts?: number;
  /** Bytes that may wait for the reader before the connection rests; 4 MiB when not given. */
  readonly mostWaiting?: number;
  readonly newId?: () => string;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** What is remembered from one connection to the next. */
export interface TerminalState {
  readonly client: string;
  readonly events: EventQueue<TerminalEvent>;
  readonly commands: TerminalCommands;
  /** What the daemon remembers commands with; null before the first connection. */
  commandLog: string | null;
  /** Where the next byte is expected; null before the first screen. */
  position: { readonly stream: string; readonly seq: number } | null;
  /** The size that this one decides. */
  size: { readonly columns: number; readonly rows: number } | null;
}

const CONNECT_MS = 15_000;
const MOST_WAITING = 4 * 1024 * 1024;

/**
 * Follows a session's terminal, and types into it. @throws from its reader and its commands what the daemon answers; DAEMON_UNREACHABLE when it does
 * not answer for long
 */
export function openTerminal(transport: StreamTransport, options: OpenTerminalOptions): Terminal {
  const { signal, newId = () => crypto.randomUUID() } = options;
  const state: TerminalState = {
    client: newId(),
    events: eventQueue(),
    commands: terminalCommands(),
    commandLog: null,
    position: null,
    size: null,
  };
  const { events, commands } = state;
  const closing = new AbortController();
  const { signal: ended, release } = linkedSignal(closing.signal, ...(signal === undefined ? [] : [signal]));
  let current: Attachment | null = null;
  let rested: () => void = () => undefined;

  ended.addEventListener("abort", () => current?.close(), { once: true });
  void run();

  async function run(): Promise<void> {
    try {
      await keepAttached();
      events.end();
      commands.end(over());
    } catch (error) {
      events.end(error);
      commands.end(isTmpmError(error) ? error : over());
    } finally {
      release();
    }
  }

  async function keepAttached(): Promise<void> {
    for (let failures = 0; ; failures++) {
      signal?.throwIfAborted();
      if (closing.signal.aborted) return;
      const next = await attempt();
      if (next === "over") return;
      if (next === "again") failures = 0;
      else if (failures + 1 >= (options.attempts ?? 60)) throw next;
      await rest();
      await (options.sleep ?? pause)(Math.min(100 * failures, 2_000));
    }
  }

  async function attempt(): Promise<"again" | "over" | TmpmError> {
    try {
      current = await attachTerminal(transport, {
        state,
        session: options.session,
        version: options.version,
        timeoutMs: CONNECT_MS,
        signal: ended,
        full: () => events.waiting() > (options.mostWaiting ?? MOST_WAITING),
      });
      return await current.over;
    } catch (error) {
      if (ended.aborted) return "again";
      // A restart takes a moment, in which the session does not run; so does a link to another machine that broke.
      const restarts = state.position !== null && hasCode(error, "INVALID_STATE", "PANE_GONE", "NODE_OFFLINE");
      if (restarts || hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN")) return error;
      throw error;
    } finally {
      current = null;
      commands.disconnected();
    }
  }

  /** Until the reader has taken most of what waits. */
  async function rest(): Promise<void> {
    while (events.waiting() > (options.mostWaiting ?? MOST_WAITING) / 2 && !ended.aborted) {
      await new Promise<void>((resolve) => {
        rested = resolve;
        ended.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  async function* read(): AsyncGenerator<TerminalEvent> {
    try {
      for (;;) {
        const event = await events.next();
        rested();
        if (event === null) return;
        yield event;
      }
    } finally {
      closing.abort();
    }
  }

  return {
    type: (text) => commands.say({ type: "input", text }),
    keys: (keys) => commands.say({ type: "input", keys: [...keys] }),
    paste: (text) => commands.say({ type: "input", paste: text }),
    async resize(size, { takeOver = false } = {}) {
      await commands.say({ type: "size", ...size, ...(takeOver ? { take_over: true } : {}) });
      state.size = size;
    },
    async release() {
      state.size = null;
      await commands.say({ type: "release" });
    },
    close: () => closing.abort(),
    [Symbol.asyncIterator]: read,
  };
}

function over(): TmpmError {
  return new TmpmError("PANE_GONE", "the stream has ended", { hint: "Open another one." });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
