import type { EndReason, ResyncReason, StreamMessage } from "@tmpm/api";
import type { Terminal } from "@tmpm/supervisor";
import { type CommandLog, commandLog } from "./command-log.js";
import { type Shot, screenBody } from "./shot.js";
import { terminalFeed } from "./terminal-feed.js";
import { type SizeNow, terminalSize, type WantedSize } from "./terminal-size.js";
import { type Viewer, viewer, type Wire } from "./viewer.js";

/** One reader of a terminal for all its viewers: recent output, viewers, and size lease. */
export interface TerminalStream {
  readonly id: string;
  readonly terminal: Terminal;
  /** Outcomes of its clients' commands. */
  readonly commands: CommandLog<StreamMessage>;
  watchers(): number;
  window(): { readonly from: number; readonly to: number };
  holder(): string | null;
  join(joining: Joining): Viewer;
  leave(viewer: Viewer): void;
  /** @throws INVALID_STATE while another viewer decides, and the errors of `Terminal.resize` */
  resize(viewer: Viewer, size: WantedSize): Promise<void>;
  release(viewer: Viewer): Promise<void>;
  /** Idempotent. */
  end(reason: EndReason): Promise<void>;
}

export interface Joining {
  readonly id: string;
  readonly wire: Wire;
  /** Offset at which an earlier connection stopped. */
  readonly resume: { readonly stream: string; readonly from: number } | null;
  readonly hello: Pick<Extract<StreamMessage, { type: "hello" }>, "writable" | "alive_ms">;
}

export interface TerminalStreamOptions {
  readonly id: string;
  /** A new id for each command log. */
  readonly commandLogId: string;
  readonly terminal: Terminal;
  readonly ringBytes: number;
  /** Retention for reconnecting viewers, in ms. */
  readonly lingerMs: number;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  readonly over: () => void;
}

type End = Extract<StreamMessage, { type: "end" }>;

const TICK_MS = 2_000;
/** Time limit for viewers to read the rest; the others are disconnected. */
const FAREWELL_MS = 2_000;

const CLOSE_CODES: Readonly<Record<EndReason, number>> = {
  exited: 1000,
  closed: 1000,
  restarted: 1012,
  stopping: 1001,
  revoked: 1008,
  refused: 1008,
};

/** Begins to read a terminal. @throws the errors of `Terminal.output` */
export async function terminalStream(options: TerminalStreamOptions): Promise<TerminalStream> {
  const { id: stream, terminal, now, report } = options;
  const viewers = new Map<Viewer, Wire>();
  let ending: End | null = null;
  let over: Promise<void> | null = null;
  let timers: readonly NodeJS.Timeout[] = [];
  let linger: NodeJS.Timeout | null = null;

  const each = (act: (viewer: Viewer) => void) => [...viewers.keys()].forEach(act);
  const feed = await terminalFeed(terminal, {
    ringBytes: options.ringBytes,
    now,
    report,
    more: () => each((one) => one.pump()),
    lost: () => each((one) => one.owe("lost")),
  });
  const sizing = terminalSize({ terminal, leaseMs: options.leaseMs, now, onChange: emitSize });
  await sizing.check();
  timers = [setInterval(() => void tick(), TICK_MS).unref()];
  keepFor(options.lingerMs);
  void feed.ended.then(({ how, last }) => finishAlone(how, last));

  function emitSize(size: SizeNow, resized: boolean): void {
    each((one) => one.say({ type: "size", ...size }));
    if (resized) each((one) => one.owe("resized"));
  }

  async function tick(): Promise<void> {
    if (viewers.size === 0) return;
    each((one) => one.pump());
    try {
      await sizing.check();
    } catch (error) {
      report({ doing: "reading a terminal's size", error });
    }
  }

  function keepFor(ms: number): void {
    if (linger !== null) clearTimeout(linger);
    linger = setTimeout(() => finishAlone("closed", null), ms).unref();
  }

  function finishAlone(how: EndReason, last: Shot | null): void {
    finish(how, last).catch((error: unknown) => report({ doing: "ending the stream of a terminal", error }));
  }

  function finish(how: EndReason, last: Shot | null): Promise<void> {
    over ??= farewell(how, last);
    return over;
  }

  async function farewell(how: EndReason, last: Shot | null): Promise<void> {
    options.over();
    for (const timer of timers) clearInterval(timer);
    if (linger !== null) clearTimeout(linger);
    feed.close();
    const reason = how === "stopping" ? how : await reasonOf(options, how);
    const end: End = { type: "end", reason, seq: feed.ring.to(), screen: last === null ? null : screenBody(last), error: null };
    ending = end;
    each((one) => one.end(end, CLOSE_CODES[reason]));
    setTimeout(() => {
      for (const wire of viewers.values()) wire.cut();
    }, FAREWELL_MS).unref();
    await sizing.close();
  }

  function note(reason: ResyncReason): string | null {
    return reason === "unknown_stream" && terminal.kept.kind === "nowhere" ? terminal.kept.why : null;
  }

  function positionOf(resume: Joining["resume"]): number | ResyncReason | null {
    if (resume === null) return null;
    if (resume.stream !== stream) return "unknown_stream";
    const kept = resume.from >= feed.ring.from() || feed.older !== null;
    return kept && resume.from <= feed.ring.to() ? resume.from : "not_kept";
  }

  return {
    id: stream,
    terminal,
    commands: commandLog({ clients: 64, outcomes: 256 }),
    watchers: () => viewers.size,
    window: () => ({ from: feed.ring.from(), to: feed.ring.to() }),
    holder: () => sizing.current().holder,
    join({ id, wire, resume, hello }) {
      const from = positionOf(resume);
      const joined = viewer({ id, wire, source: { ...feed, note, report }, from });
      viewers.set(joined, wire);
      if (linger !== null) clearTimeout(linger);
      const { id: session_id, name } = terminal;
      const lasting = terminal.kept.kind === "by_host";
      const known = { session_id, name, stream, viewer: id, commands: options.commandLogId, lasting };
      joined.say({ type: "hello", ...known, ...hello, lease_ms: options.leaseMs, size: sizing.current() });
      if (ending === null) joined.pump();
      else joined.end(ending, CLOSE_CODES[ending.reason]);
      return joined;
    },
    leave(left) {
      if (!viewers.delete(left)) return;
      if (viewers.size === 0 && over === null) keepFor(options.lingerMs);
      sizing.release(left.id).catch((error: unknown) => report({ doing: "restoring a terminal's size", error }));
    },
    resize: ({ id }, size) => sizing.take(id, size),
    release: ({ id }) => sizing.release(id),
    end: (reason) => finish(reason, null),
  };
}

async function reasonOf({ terminal, report }: TerminalStreamOptions, how: EndReason): Promise<EndReason> {
  try {
    return (await terminal.fate()) === "restarted" ? "restarted" : how;
  } catch (error) {
    report({ doing: "checking the end of a session", error });
    return how;
  }
}
