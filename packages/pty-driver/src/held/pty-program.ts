import type { HolderClient, HolderProgram, RunningProgram } from "@tmpm/holder";
import { feeds } from "./feeds.js";
import type { HeldInfo } from "./held-info.js";
import { lazyScreen } from "./lazy-screen.js";
import { ptyCalls } from "./pty-calls.js";
import { ptyLaunch } from "./pty-launch.js";
import { ptyProcess } from "./pty-process.js";
import { renderedScreen } from "./rendered-screen.js";
import { replayRing } from "./replay-ring.js";
import { watchers } from "./watchers.js";
import { writeQueue } from "./write-queue.js";

/** Minimum time between reports of output to watchers, in ms. */
const REPORT_MS = 100;

/** The program of a PTY's holder: the user's program, its last output, and the resulting screen. */
export const ptyProgram: HolderProgram = {
  async start(launch): Promise<RunningProgram> {
    const given = ptyLaunch(launch);
    const ring = replayRing(given.ringBytes);
    const watching = watchers(() => info);
    const viewing = new Map<HolderClient, number>();
    let info: HeldInfo = { ...sizeOf(given), tmuxName: given.tmuxName, pid: 0, tty: "", viewers: 0, activeMs: Date.now(), exit: null };
    let ended: () => void = () => undefined;
    const whenEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const change = (changed: Partial<HeldInfo>) => {
      info = { ...info, ...changed };
      watching.changed();
    };
    const printed = sometimes(() => change({ activeMs: Date.now() }));
    const answer = (text: string) => void queue.add(Buffer.from(text)).catch(() => undefined);
    const screen = lazyScreen(renderedScreen({ ...sizeOf(given), answer }));
    const fed = feeds({ ring, screen, info: () => info });
    const pty = await ptyProcess(given, {
      printed(bytes) {
        ring.write(bytes);
        screen.write(bytes);
        fed.pump();
        printed();
      },
      exited(exit) {
        queue.close();
        change({ exit: { ...exit, atMs: Date.now() } });
        fed.pump();
        ended();
      },
    });
    const queue = writeQueue(pty.terminal);
    info = { ...info, pid: pty.pid, tty: pty.tty };
    const resize = (size: { readonly columns: number; readonly rows: number }) => {
      if (info.exit === null) pty.resize(size);
      screen.resize(size);
      change(size);
    };
    return {
      pid: pty.pid,
      call: ptyCalls({ info: () => info, change, resize, screen, ring, queue, feeds: fed, watchers: watching, viewing }),
      left(client) {
        fed.close(client);
        watching.delete(client);
        if (viewing.delete(client)) change({ viewers: [...viewing.values()].reduce((sum, count) => sum + count, 0) });
      },
      ended: whenEnded,
      close: async () => undefined,
    };
  },
};

function sizeOf({ columns, rows }: { readonly columns: number; readonly rows: number }): {
  readonly columns: number;
  readonly rows: number;
} {
  return { columns, rows };
}

/** Runs the task at once, and then at most once per interval, including after the last call. */
function sometimes(task: () => void): () => void {
  let waits: NodeJS.Timeout | null = null;
  let again = false;
  const run = () => {
    task();
    again = false;
    waits = setTimeout(() => {
      waits = null;
      if (again) run();
    }, REPORT_MS);
  };
  return () => {
    if (waits === null) run();
    else again = true;
  };
}
