import { hasCode, isTmpmError, TmpmError } from "@tmpm/core/errors";
import { linkedSignal } from "@tmpm/core/linked-signal";
import { type Attachment, attachTerminal } from "./attach-terminal.js";
import type { EndReason, ResyncReason, StreamScreen } from "./contracts.js";
import { inputPieces } from "./input-pieces.js";
import type { StreamTransport } from "./stream-transport.js";
import { type TerminalCommands, terminalCommands } from "./terminal-commands.js";
import { type EventQueue, eventQueue } from "./terminal-events.js";

/** A rendered screen, and in `paint` the bytes that draw it on a terminal of this size, which then continues with byte `seq`. */
export interface TerminalScreen extends Omit<StreamScreen, "paint"> {
  readonly paint: Uint8Array;
}

export type TerminalEvent =
  /** The first event, and sent again whenever bytes before it are missing: `reason` is the cause, null for the first; `note` may add details. */
  | { readonly kind: "screen"; readonly reason: ResyncReason | null; readonly note: string | null; readonly screen: TerminalScreen }
  /** Bytes as printed by the program; they start where the previous event ends. */
  | { readonly kind: "output"; readonly seq: number; readonly bytes: Uint8Array }
  | { readonly kind: "size"; readonly columns: number; readonly rows: number; readonly mine: boolean }
  /** The last event: the program has ended, or its terminal no longer exists. */
  | { readonly kind: "end"; readonly reason: EndReason; readonly screen: TerminalScreen | null };

/** A session's terminal. It reconnects on its own, also after a restart of the daemon or the session, and resumes where it stopped. */
export interface Terminal extends AsyncIterable<TerminalEvent> {
  /**
   * Keyboard input: control characters and escape sequences are keys. Resolves when it is typed. @throws the reason of a refusal;
   * DAEMON_UNREACHABLE if the connection was lost for so long that it would arrive too late
   */
  type(text: string): Promise<void>;
  /** Keys, by their tmux names. */
  keys(keys: readonly string[]): Promise<void>;
  paste(text: string): Promise<void>;
  /** Decides the size until `release`; with `takeOver` also replaces another viewer. @throws INVALID_STATE while another viewer decides it */
  resize(size: { readonly columns: number; readonly rows: number }, options?: { readonly takeOver?: boolean }): Promise<void>;
  release(): Promise<void>;
  /** Connects again, and resumes, if nothing has arrived since a time in ms: a network that changed may leave a dead connection open. */
  reconnectIfSilent(since: number): void;
  close(): void;
}

export interface OpenTerminalOptions {
  readonly session: string;
  /** Ends the stream; its reader gets the signal's reason. */
  readonly signal?: AbortSignal;
  /** Maximum interval between the daemon's messages, in ms: 1,000 to 15,000, the default. A silence of 2.5 intervals is a lost connection. */
  readonly aliveMs?: number;
  /** The caller's version of tmpm; a daemon of another version is an error. */
  readonly version?: string;
  /** Maximum consecutive retries while the daemon does not respond, with a delay that grows to 2 seconds; default 60. */
  readonly attempts?: number;
  /** Maximum number of bytes buffered for the reader before the connection is paused; default 4 MiB. */
  readonly mostWaiting?: number;
  /** Called when a connection is established or lost. */
  readonly onConnection?: (now: "connected" | "cut") => void;
  readonly newId?: () => string;
  /** Time in ms. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** The size of a terminal, and the viewer that decides it, or null. */
export interface HeldSize {
  readonly columns: number;
  readonly rows: number;
  readonly holder: string | null;
}

/** State kept across connections. */
export interface TerminalState {
  readonly client: string;
  readonly events: EventQueue<TerminalEvent>;
  readonly commands: TerminalCommands;
  /** Identifies the daemon's store of commands; null before the first connection. */
  commandLog: string | null;
  /** Offset of the next expected byte; null before the first screen. */
  position: { readonly stream: string; readonly seq: number } | null;
  /** This viewer's id on the last connection, and the last size reported there; null before the first. */
  last: { readonly viewer: string; readonly size: HeldSize } | null;
  /** The size that this viewer decides. */
  size: { readonly columns: number; readonly rows: number } | null;
}

const CONNECT_MS = 15_000;
const MOST_WAITING = 4 * 1024 * 1024;

/**
 * Follows a session's terminal, and types into it. @throws from its reader and its commands the daemon's errors; DAEMON_UNREACHABLE if the daemon does
 * not respond after all retries
 */
export function openTerminal(transport: StreamTransport, options: OpenTerminalOptions): Terminal {
  const { signal, newId = () => crypto.randomUUID() } = options;
  const state: TerminalState = {
    client: newId(),
    events: eventQueue(),
    commands: terminalCommands({ now: options.now ?? Date.now }),
    commandLog: null,
    position: null,
    last: null,
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
        aliveMs: options.aliveMs,
        timeoutMs: CONNECT_MS,
        signal: ended,
        full: () => events.waiting() > (options.mostWaiting ?? MOST_WAITING),
      });
      options.onConnection?.("connected");
      return await current.over;
    } catch (error) {
      if (ended.aborted) return "again";
      // During a restart the session is briefly not running; a broken link to another machine takes a moment, too.
      const restarts = state.position !== null && hasCode(error, "INVALID_STATE", "PANE_GONE", "NODE_OFFLINE");
      if (restarts || hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN")) return error;
      throw error;
    } finally {
      if (current !== null) options.onConnection?.("cut");
      current = null;
      commands.disconnected();
    }
  }

  /** Until the reader has consumed most of the buffered data. */
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
    type: (text) => each(inputPieces(text).map((piece) => commands.say({ type: "input", text: piece }))),
    keys: (keys) => commands.say({ type: "input", keys: [...keys] }),
    paste: (text) => each(inputPieces(text).map((piece) => commands.say({ type: "input", paste: piece }))),
    async resize(size, { takeOver = false } = {}) {
      await commands.say({ type: "size", ...size, ...(takeOver ? { take_over: true } : {}) });
      state.size = size;
    },
    async release() {
      state.size = null;
      await commands.say({ type: "release" });
    },
    reconnectIfSilent: (since) => current?.closeIfSilent(since),
    close: () => closing.abort(),
    [Symbol.asyncIterator]: read,
  };
}

async function each(commands: readonly Promise<void>[]): Promise<void> {
  await Promise.all(commands);
}

function over(): TmpmError {
  return new TmpmError("PANE_GONE", "the stream has ended", { hint: "Open another one." });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
