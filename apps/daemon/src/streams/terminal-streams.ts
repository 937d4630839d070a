import { createHash } from "node:crypto";
import type { StreamAnswer } from "@tmpm/api";
import { hasCode, TmpmError } from "@tmpm/core";
import type { Terminal } from "@tmpm/supervisor";
import { shuttingDown } from "../requests/shutting-down.js";
import { type TerminalStream, terminalStream } from "./terminal-stream.js";

/** The watched terminals: each is read once for all viewers. */
export interface TerminalStreams {
  /**
   * The stream of a session's terminal, opened for its first viewer.
   * @throws INVALID_STATE for a session that does not run; RESOURCE_EXHAUSTED for too many viewers, or terminals; the errors of `Terminal.output`
   */
  open(session: string): Promise<TerminalStream>;
  about(session: string): Promise<StreamAnswer>;
  /** Number of output bytes of each watched terminal, by the id of its session. */
  latestSeqs(): ReadonlyMap<string, number>;
  counts(): { readonly streams: number; readonly watchers: number };
  /** Closes all streams. */
  close(): Promise<void>;
}

export interface TerminalStreamsOptions {
  /** @throws the errors of `Supervisor.terminal` */
  readonly terminal: (input: { readonly session: string }) => Promise<Terminal>;
  readonly newId: () => string;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  readonly now?: () => number;
  /** Output stored per terminal for reconnecting viewers, in bytes; default 524,288. */
  readonly ringBytes?: number;
  /** How long a terminal is read after its last viewer left, in ms; default 60,000. */
  readonly lingerMs?: number;
  /** How long a size is held without renewal, in ms; default 30,000. */
  readonly leaseMs?: number;
  readonly most?: { readonly watchers: number; readonly watchersOfOne: number };
}

const MOST = { watchers: 256, watchersOfOne: 64 };

export function terminalStreams(options: TerminalStreamsOptions): TerminalStreams {
  const { most = MOST } = options;
  const streams = new Map<string, Promise<TerminalStream>>();
  const open = new Map<string, TerminalStream>();
  let closed = false;
  const watchers = () => [...open.values()].reduce((sum, stream) => sum + stream.watchers(), 0);

  function streamOf(terminal: Terminal): Promise<TerminalStream> {
    const key = keyOf(terminal);
    const known = streams.get(key);
    if (known !== undefined) return known;
    const made = begin(terminal, key);
    streams.set(key, made);
    made.catch(() => streams.delete(key));
    return made;
  }

  async function begin(terminal: Terminal, key: string): Promise<TerminalStream> {
    try {
      return await read(terminal, key);
    } catch (error) {
      // The number of terminals read at once is limited: one without viewers is evicted.
      const idle = [...open.values()].find((stream) => stream.watchers() === 0);
      if (idle === undefined || !hasCode(error, "RESOURCE_EXHAUSTED")) throw error;
      await idle.end("closed");
      return read(terminal, key);
    }
  }

  async function read(terminal: Terminal, key: string): Promise<TerminalStream> {
    let over = false;
    const stream = await terminalStream({
      id: terminal.kept.kind === "by_host" ? lastingId(terminal) : options.newId(),
      commandLogId: options.newId(),
      terminal,
      ringBytes: options.ringBytes ?? 512 * 1024,
      lingerMs: options.lingerMs ?? 60_000,
      leaseMs: options.leaseMs ?? 30_000,
      now: options.now ?? Date.now,
      report: options.report,
      over() {
        over = true;
        streams.delete(key);
        open.delete(key);
      },
    });
    if (!over) open.set(key, stream);
    return stream;
  }

  return {
    async open(session) {
      const terminal = await options.terminal({ session });
      if (watchers() >= most.watchers) throw tooMany(`${most.watchers} viewers already watch terminals`);
      const stream = await streamOf(terminal);
      if (closed) {
        await stream.end("stopping");
        throw shuttingDown();
      }
      if (stream.watchers() >= most.watchersOfOne) throw tooMany(`${most.watchersOfOne} viewers already watch session ${terminal.name}`);
      return stream;
    },
    async about(session) {
      const terminal = await options.terminal({ session });
      const stream = open.get(keyOf(terminal));
      const { id: session_id, kept } = terminal;
      const host = { session_id, lasting: kept.kind === "by_host", note: kept.kind === "nowhere" ? kept.why : null };
      if (stream === undefined) return { ...host, stream: null, window: null, watchers: 0, holder: null };
      return {
        ...host,
        stream: stream.id,
        window: { ...stream.window() },
        watchers: stream.watchers(),
        holder: stream.holder(),
      };
    },
    latestSeqs: () => new Map(Array.from(open, ([key, stream]) => [sessionOf(key), stream.window().to])),
    counts: () => ({ streams: open.size, watchers: watchers() }),
    async close() {
      closed = true;
      await Promise.all([...open.values()].map((stream) => stream.end("stopping")));
    },
  };
}

/** A restarted session has a new terminal. */
function keyOf({ id, pane }: Terminal): string {
  return `${id} ${pane.server_pid} ${pane.pane_id}`;
}

function sessionOf(key: string): string {
  return key.slice(0, key.indexOf(" "));
}

function tooMany(message: string): TmpmError {
  return new TmpmError("RESOURCE_EXHAUSTED", message, { hint: "Close one of them first." });
}

/** The stream id of a terminal whose host numbers its output: the same for every daemon, unique per terminal. A UUID of version 8. */
function lastingId({ id, pane }: Pick<Terminal, "id" | "pane">): string {
  const named = [id, pane.socket, pane.server_pid, pane.server_start, pane.pane_id];
  const hex = createHash("sha256").update(JSON.stringify(named)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
