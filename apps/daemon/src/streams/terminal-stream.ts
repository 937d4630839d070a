import { type EndReason, outputFrame, type ResyncReason, type StreamMessage } from "@tmpm/api";
import type { Terminal } from "@tmpm/supervisor";
import type { OutputEvent, PaneSize } from "@tmpm/tmux-driver";
import { byteRing } from "./byte-ring.js";
import { type CommandLog, commandLog } from "./command-log.js";
import { type Shot, screenBody } from "./shot.js";
import { terminalSize } from "./terminal-size.js";
import { type Viewer, viewer, type Wire } from "./viewer.js";

/** One reader of a terminal for all who watch it: what it printed last, who watches, and who decides its size. */
export interface TerminalStream {
  readonly id: string;
  readonly terminal: Terminal;
  /** What became of the commands of its clients. */
  readonly commands: CommandLog<StreamMessage>;
  isOver(): boolean;
  watchers(): number;
  window(): { readonly from: number; readonly to: number };
  holder(): string | null;
  join(joining: Joining): Viewer;
  leave(viewer: Viewer): void;
  /** @throws INVALID_STATE while somebody else decides, and what `Terminal.resize` throws */
  resize(viewer: Viewer, size: PaneSize): Promise<void>;
  release(viewer: Viewer): Promise<void>;
  /** Idempotent. */
  end(reason: EndReason): Promise<void>;
}

export interface Joining {
  readonly id: string;
  readonly wire: Wire;
  /** Where it left off. */
  readonly resume: { readonly stream: string; readonly from: number } | null;
  readonly hello: Pick<Extract<StreamMessage, { type: "hello" }>, "writable" | "alive_ms">;
}

export interface TerminalStreamOptions {
  readonly id: string;
  readonly terminal: Terminal;
  readonly ringBytes: number;
  /** How long it is kept for viewers that come back, in ms. */
  readonly lingerMs: number;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  readonly over: () => void;
}

/** What is printed in this time goes out together. */
const BATCH_MS = 8;
const MOST_FRAME = 64 * 1024;
const TICK_MS = 2_000;
/** A viewer that has not taken the last of it by then is cut off. */
const FAREWELL_MS = 2_000;

const CLOSE_CODES: Readonly<Record<EndReason, number>> = {
  exited: 1000,
  closed: 1000,
  restarted: 1012,
  stopping: 1001,
  revoked: 1008,
  refused: 1008,
};

/** Begins to read a terminal. @throws what `Terminal.output` throws */
export async function terminalStream(options: TerminalStreamOptions): Promise<TerminalStream> {
  const { terminal, now, report } = options;
  const ring = byteRing(options.ringBytes);
  const viewers = new Map<Viewer, Wire>();
  const tellAll = (message: StreamMessage) => each((one) => one.say(message));
  let over: Promise<void> | null = null;
  let memo: { readonly from: number; readonly to: number; readonly frame: Uint8Array } = { from: -1, to: -1, frame: new Uint8Array() };
  let looking: Promise<Shot> | null = null;
  let batch: NodeJS.Timeout | null = null;
  let flushedMs = 0;
  let linger: NodeJS.Timeout | null = null;

  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const subscription = await terminal.output(hear);
  subscription.done.catch((error: unknown) => report({ doing: "reading a terminal", error }));
  await begun;

  const sizing = terminalSize({
    terminal,
    leaseMs: options.leaseMs,
    now,
    told: (size, resized) => {
      tellAll({ type: "size", ...size });
      if (resized) each((one) => one.owe("resized"));
    },
  });
  await sizing.check();
  const ticker = setInterval(() => void tick(), TICK_MS).unref();
  keepFor(options.lingerMs);

  function each(act: (viewer: Viewer) => void): void {
    for (const one of [...viewers.keys()]) act(one);
  }

  function hear(event: OutputEvent): void {
    if (event.type === "chunk") {
      if (event.offset !== ring.to()) lose(event.offset);
      ring.write(event.bytes);
      schedule();
    } else if (event.type === "gap") lose(event.offset);
    else if (event.type === "screen") ring.restart(event.offset);
    else void finish(event.type, event.type === "exited" ? event : null);
    begin();
  }

  function lose(at: number): void {
    ring.restart(at);
    each((one) => one.owe("lost"));
  }

  function schedule(): void {
    batch ??= setTimeout(flush, Math.max(0, flushedMs + BATCH_MS - now()));
  }

  function flush(): void {
    batch = null;
    flushedMs = now();
    each((one) => one.pump());
  }

  const source = {
    ring,
    report,
    frame(from: number) {
      if (memo.from === from) return memo;
      const bytes = ring.read(from, MOST_FRAME) ?? new Uint8Array();
      memo = { from, to: from + bytes.length, frame: outputFrame({ seq: from, bytes }) };
      return memo;
    },
    look() {
      looking ??= subscription.look().finally(() => {
        looking = null;
      });
      return looking;
    },
  };

  async function tick(): Promise<void> {
    if (viewers.size === 0) return;
    each((one) => one.pump());
    try {
      await sizing.check();
    } catch (error) {
      report({ doing: "looking at a terminal's size", error });
    }
  }

  function keepFor(ms: number): void {
    if (linger !== null) clearTimeout(linger);
    linger = setTimeout(() => void finish("closed", null), ms).unref();
  }

  function finish(how: EndReason, last: Shot | null): Promise<void> {
    over ??= farewell(how, last);
    return over;
  }

  async function farewell(how: EndReason, last: Shot | null): Promise<void> {
    options.over();
    clearInterval(ticker);
    if (linger !== null) clearTimeout(linger);
    subscription.close();
    if (batch !== null) clearTimeout(batch);
    const reason = how === "stopping" || viewers.size === 0 ? how : await reasonOf(how);
    const screen = last === null ? null : screenBody(last);
    each((one) => one.end({ type: "end", reason, seq: ring.to(), screen, error: null }, CLOSE_CODES[reason]));
    setTimeout(() => {
      for (const wire of viewers.values()) wire.cut();
    }, FAREWELL_MS).unref();
    await sizing.close();
  }

  async function reasonOf(how: EndReason): Promise<EndReason> {
    try {
      return (await terminal.fate()) === "restarted" ? "restarted" : how;
    } catch (error) {
      report({ doing: "finding out what became of a session", error });
      return how;
    }
  }

  function positionOf(resume: Joining["resume"]): number | ResyncReason | null {
    if (resume === null) return null;
    if (resume.stream !== options.id) return "unknown_stream";
    return resume.from >= ring.from() && resume.from <= ring.to() ? resume.from : "not_kept";
  }

  return {
    id: options.id,
    terminal,
    commands: commandLog({ clients: 64, outcomes: 256 }),
    isOver: () => over !== null,
    watchers: () => viewers.size,
    window: () => ({ from: ring.from(), to: ring.to() }),
    holder: () => sizing.current().holder,
    join({ id, wire, resume, hello }) {
      const from = positionOf(resume);
      const joined = viewer({ id, wire, source, from });
      viewers.set(joined, wire);
      if (linger !== null) clearTimeout(linger);
      const { id: session_id, name } = terminal;
      const size = sizing.current();
      joined.say({ type: "hello", session_id, name, stream: options.id, viewer: id, ...hello, lease_ms: options.leaseMs, size });
      if (typeof from === "number") joined.say({ type: "resumed", seq: from });
      joined.pump();
      return joined;
    },
    leave(left) {
      if (!viewers.delete(left)) return;
      if (viewers.size === 0 && over === null) keepFor(options.lingerMs);
      sizing.release(left.id).catch((error: unknown) => report({ doing: "giving a terminal's size back", error }));
    },
    resize: ({ id }, size) => sizing.take(id, size),
    release: ({ id }) => sizing.release(id),
    end: (reason) => finish(reason, null),
  };
}
