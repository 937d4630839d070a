import { fromErrorBody, TmpmError } from "@tmpm/core/errors";
import type { StreamMessage, StreamScreen } from "./contracts.js";
import { VERSION_HEADER } from "./headers.js";
import type { HeldSize, TerminalScreen, TerminalState } from "./open-terminal.js";
import { readOutput } from "./output-frame.js";
import { PATHS } from "./paths.js";
import type { StreamSocket, StreamTransport } from "./stream-transport.js";

export interface AttachOptions {
  readonly state: TerminalState;
  readonly session: string;
  readonly version: string | undefined;
  readonly aliveMs: number | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Whether the reader accepts no more data for now. */
  readonly full: () => boolean;
}

/** One connection to a terminal's stream. */
export interface Attachment {
  /** `over` at the end of the stream. @throws the daemon's reason for ending it */
  readonly over: Promise<"again" | "over">;
  /** Ends the connection if nothing has arrived on it since a time, in ms: then it may be half open. */
  closeIfSilent(since: number): void;
  close(): void;
}

type Hello = Extract<StreamMessage, { type: "hello" }>;
type End = Extract<StreamMessage, { type: "end" }>;

/** A connection that is silent for this multiple of the daemon's announced interval counts as lost. */
const PATIENCE = 2.5;

/** @throws DAEMON_UNREACHABLE, and the daemon's error response in place of a stream */
export async function attachTerminal(transport: StreamTransport, options: AttachOptions): Promise<Attachment> {
  const { state, full } = options;
  let finish: (how: "again" | "over") => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const over = new Promise<"again" | "over">((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  let socket: StreamSocket | null = null;
  let viewer = "";
  let timers: readonly ReturnType<typeof setInterval>[] = [];
  let heardMs = Date.now();
  let isClosed = false;
  /** Messages that arrived before the connection was returned. */
  const early: (string | Uint8Array)[] = [];

  function message(data: string | Uint8Array): void {
    if (isClosed) return;
    if (socket === null) {
      early.push(data);
      return;
    }
    heardMs = Date.now();
    if (typeof data === "string") heed(messageOf(data));
    else take(data);
    if (full()) socket?.close();
  }

  function take(data: Uint8Array): void {
    const output = readOutput(data);
    if (output === null || state.position === null) return;
    state.position = { ...state.position, seq: output.seq + output.bytes.length };
    state.events.push({ kind: "output", ...output }, output.bytes.length);
  }

  function heed(message: StreamMessage): void {
    if (message.type === "hello") greet(message);
    else if (message.type === "screen" || message.type === "resync") show(message);
    else if (message.type === "ack") state.commands.acknowledged(message);
    else if (message.type === "size") resized(message);
    else if (message.type === "end") end(message);
  }

  function greet({ stream, viewer: id, commands, alive_ms, lease_ms, size }: Hello): void {
    viewer = id;
    if (state.last !== null) sizedMeanwhile(size, state.last);
    state.last = { viewer, size };
    if (state.position?.stream !== stream) state.position = { stream, seq: 0 };
    const log = state.commandLog === null ? "first" : state.commandLog === commands ? "same" : "other";
    state.commands.connected((text) => socket?.send(text), log);
    state.commandLog = commands;
    watch(alive_ms, lease_ms);
  }

  /** While it was disconnected. Its own lease may still be in the name of its last connection. */
  function sizedMeanwhile({ columns, rows, holder }: HeldSize, last: NonNullable<TerminalState["last"]>): void {
    if (holder !== null && holder !== last.viewer) state.size = null;
    const isSame = columns === last.size.columns && rows === last.size.rows && holder === last.size.holder;
    // Its own size is renewed, which is reported like any change.
    if (state.size === null && !isSame) state.events.push({ kind: "size", columns, rows, mine: false });
  }

  function watch(aliveMs: number, leaseMs: number): void {
    const lost = () => {
      if (Date.now() - heardMs > PATIENCE * aliveMs) closed();
    };
    const renew = () => {
      // A separate message reports which client decides the size.
      if (state.size !== null) state.commands.say({ type: "size", ...state.size }).catch(() => undefined);
    };
    renew();
    timers = [setInterval(lost, aliveMs / 4), setInterval(renew, leaseMs / 3)];
  }

  function show(message: Extract<StreamMessage, { type: "screen" | "resync" }>): void {
    if (state.position === null) return;
    state.position = { ...state.position, seq: message.seq };
    const { reason, note } = message.type === "screen" ? { reason: null, note: null } : message;
    state.events.push({ kind: "screen", reason, note, screen: screenOf(message) }, message.paint.length);
  }

  function resized({ columns, rows, holder }: Extract<StreamMessage, { type: "size" }>): void {
    const mine = holder === viewer;
    state.last = { viewer, size: { columns, rows, holder } };
    if (!mine && holder !== null) state.size = null;
    state.events.push({ kind: "size", columns, rows, mine });
  }

  function end({ reason, screen, error }: End): void {
    if (reason === "revoked" || reason === "refused") fail(error === null ? refused(reason) : fromErrorBody(error));
    if (reason !== "exited" && reason !== "closed") return;
    state.events.push({ kind: "end", reason, screen: screen === null ? null : screenOf(screen) });
    finish("over");
  }

  /** Once: the end of a dead connection may be reported after the next one has begun. */
  function closed(): void {
    if (isClosed) return;
    isClosed = true;
    for (const timer of timers) clearInterval(timer);
    socket?.close();
    state.commands.disconnected();
    finish("again");
  }

  const { version, timeoutMs, signal } = options;
  const headers = version === undefined ? {} : { [VERSION_HEADER]: version };
  socket = await transport.connect({ path: pathOf(options), headers, timeoutMs, signal }, { message, closed });
  for (const data of early) message(data);
  const closeIfSilent = (since: number) => {
    if (heardMs < since) closed();
  };
  return { over, closeIfSilent, close: closed };
}

function pathOf({ state, session, aliveMs }: AttachOptions): string {
  const resume = state.position === null ? {} : { from: String(state.position.seq), stream: state.position.stream };
  const alive = aliveMs === undefined ? {} : { alive_ms: String(aliveMs) };
  const query = new URLSearchParams({ client: state.client, ...alive, ...resume });
  return `${PATHS.stream.path.replace(":session", encodeURIComponent(session))}?${query}`;
}

/** The versions agree, so messages follow the contract. */
function messageOf(text: string): StreamMessage {
  return JSON.parse(text) as StreamMessage;
}

function screenOf({ seq, columns, rows, cursor, title, lines, paint }: StreamScreen): TerminalScreen {
  return { seq, columns, rows, cursor, title, lines, paint: Uint8Array.from(atob(paint), (character) => character.charCodeAt(0)) };
}

function refused(reason: string): TmpmError {
  return new TmpmError("UNAUTHENTICATED", `the daemon ended the stream: ${reason}`);
}
