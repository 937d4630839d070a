import { outputFrame } from "@tmpm/api";
import type { Terminal } from "@tmpm/supervisor";
import type { OutputEvent } from "@tmpm/tmux-driver";
import { type ByteRing, byteRing } from "./byte-ring.js";
import type { Shot } from "./shot.js";

/** One terminal's stored output, for all viewers. */
export interface TerminalFeed {
  readonly ring: Pick<ByteRing, "from" | "to">;
  /** A binary frame that starts at this offset, and the offset after it; shared by all viewers at that position. */
  frame(from: number): { readonly frame: Uint8Array; readonly to: number };
  /** A binary frame of bytes older than the ring, kept by the terminal's host; null for bytes it no longer has. Null if the host does not keep any. */
  readonly older: ((from: number) => Promise<{ readonly frame: Uint8Array; readonly to: number } | null>) | null;
  /** The current screen; concurrent callers share one capture. */
  look(): Promise<Shot>;
  /** Resolves at the end of output. */
  readonly ended: Promise<{ readonly how: "exited" | "closed"; readonly last: Shot | null }>;
  close(): void;
}

export interface TerminalFeedOptions {
  readonly ringBytes: number;
  readonly now: () => number;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** New output is available. */
  readonly more: () => void;
  /** Some output was lost. */
  readonly lost: () => void;
}

/** Minimum interval between reports of new output, in ms; what is printed within it is reported together. */
const BATCH_MS = 8;
const MOST_FRAME = 64 * 1024;

/** Resolves with the first screen, or the end. @throws the errors of `Terminal.output` */
export async function terminalFeed(terminal: Pick<Terminal, "output" | "kept">, options: TerminalFeedOptions): Promise<TerminalFeed> {
  const { now, more, lost } = options;
  const ring = byteRing(options.ringBytes);
  let memo: { readonly from: number; readonly to: number; readonly frame: Uint8Array } = { from: -1, to: -1, frame: new Uint8Array() };
  let looking: Promise<Shot> | null = null;
  let cancelBatch: (() => void) | null = null;
  let flushedMs = 0;
  let begin: () => void = () => undefined;
  let end: (ending: Awaited<TerminalFeed["ended"]>) => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<Awaited<TerminalFeed["ended"]>>((resolve) => {
    end = resolve;
  });

  function hear(event: OutputEvent): void {
    if (event.type === "chunk") take(event);
    else if (event.type === "gap") restart(event.offset);
    else if (event.type === "screen") ring.restart(event.offset);
    else end({ how: event.type, last: event.type === "exited" ? event : null });
    begin();
  }

  function take({ offset, bytes }: Extract<OutputEvent, { type: "chunk" }>): void {
    if (offset !== ring.to()) restart(offset);
    ring.write(bytes);
    cancelBatch ??= soon(flush, flushedMs + BATCH_MS - now());
  }

  function flush(): void {
    cancelBatch = null;
    flushedMs = now();
    more();
  }

  function restart(at: number): void {
    ring.restart(at);
    lost();
  }

  const { kept } = terminal;
  const subscription = await terminal.output(hear);
  subscription.done.catch((error: unknown) => {
    options.report({ doing: "reading a terminal", error });
    hear({ type: "closed", offset: ring.to() });
  });
  await begun;
  return {
    ring,
    ended,
    frame(from) {
      if (memo.from === from) return memo;
      const bytes = ring.read(from, MOST_FRAME) ?? new Uint8Array();
      memo = { from, to: from + bytes.length, frame: outputFrame({ seq: from, bytes }) };
      return memo;
    },
    older:
      kept.kind === "nowhere"
        ? null
        : async (from) => {
            const bytes = await kept.read({ from, most: Math.min(MOST_FRAME, ring.from() - from) });
            if (bytes === null || bytes.length === 0) return null;
            return { frame: outputFrame({ seq: from, bytes }), to: from + bytes.length };
          },
    look() {
      looking ??= subscription.look().finally(() => {
        looking = null;
      });
      return looking;
    },
    close() {
      subscription.close();
      cancelBatch?.();
    },
  };
}

/** Runs a task after a time in ms, or once the chunks that were read together are stored; returns its cancellation. */
function soon(task: () => void, ms: number): () => void {
  if (ms > 0) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  }
  // A timer is at least a millisecond late, which every echo of a key would wait.
  const immediate = setImmediate(task);
  return () => clearImmediate(immediate);
}
