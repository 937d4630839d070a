import type { Answer, PaneInfo, ServerEvent, Subscription } from "./driver.js";
import { paneKey } from "./known-roots.js";

type Listener = (event: ServerEvent) => void;

export interface WatchOptions {
  readonly list: () => Promise<Answer<readonly PaneInfo[]>>;
  readonly everyMs: number;
}

export interface Watch {
  subscribe(listener: Listener): Subscription;
  close(): void;
}

/** One poller for all listeners; it runs only while there is one, and never two polls at once. */
export function pollingWatch({ list, everyMs }: WatchOptions): Watch {
  const listeners = new Set<{ readonly tell: Listener }>();
  let timer: NodeJS.Timeout | null = null;
  let polling = false;
  let seen: readonly PaneInfo[] | null = null;

  const tell = (event: ServerEvent) => {
    for (const listener of [...listeners]) if (listeners.has(listener)) listener.tell(event);
  };
  const poll = async () => {
    polling = true;
    const answer = await list();
    polling = false;
    if (listeners.size === 0) return;
    const now = answer.kind === "unknown" ? null : answer.kind === "absent" ? [] : answer.value;
    const events = now === null ? [] : seen === null ? [LOOK] : changes(seen, now);
    seen = now;
    schedule();
    events.forEach(tell);
  };
  const schedule = () => {
    if (listeners.size === 0 || polling || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      void poll();
    }, everyMs);
    timer.unref();
  };
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    seen = null;
  };
  return {
    subscribe(tellListener) {
      const listener = { tell: tellListener };
      listeners.add(listener);
      queueMicrotask(() => listeners.has(listener) && seen !== null && tellListener(LOOK));
      if (seen === null && timer === null && !polling) void poll();
      return {
        close() {
          listeners.delete(listener);
          if (listeners.size === 0) stop();
        },
      };
    },
    close() {
      listeners.clear();
      stop();
    },
  };
}

const LOOK: ServerEvent = { type: "look" };

/** What happened between two looks at the same server, or at two servers. */
export function changes(before: readonly PaneInfo[], now: readonly PaneInfo[]): ServerEvent[] {
  const old = new Map(before.map((pane) => [paneKey(pane.identity), pane]));
  const current = new Map(now.map((pane) => [paneKey(pane.identity), pane]));
  const closed = before.filter((pane) => !current.has(paneKey(pane.identity))).map((pane) => event("closed", pane));
  const others = now.flatMap((pane): ServerEvent[] => {
    const earlier = old.get(paneKey(pane.identity));
    if (earlier === undefined) return [event("opened", pane), ...(pane.exit === null ? [] : [event("exited", pane)])];
    const active = pane.activeAt === earlier.activeAt ? [] : [event("active", pane)];
    return pane.exit !== null && earlier.exit === null ? [...active, event("exited", pane)] : active;
  });
  return [...closed, ...others];
}

function event(type: Exclude<ServerEvent["type"], "look">, pane: PaneInfo): ServerEvent {
  return { type, pane: pane.identity, sessionId: pane.sessionId };
}
