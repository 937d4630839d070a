import { performance } from "node:perf_hooks";
import type { Answer, ServerEvent, Subscription } from "../driver.js";
import { paneKey } from "./known-roots.js";
import type { SeenPane } from "./pane-info.js";

type Listener = (event: ServerEvent) => void;

export interface WatchOptions {
  readonly list: () => Promise<Answer<readonly SeenPane[]>>;
  readonly everyMs: number;
  /** A cheaper query for panes that printed or ended since a second, for a transport that is notified of everything else. */
  readonly recent?: {
    readonly panes: (since: number) => Promise<Answer<readonly SeenPane[]>>;
    /** Whether the transport is notified of everything else now. */
    readonly usable: () => boolean;
    readonly listEveryMs: number;
    /** The second that tmux would note for output now, since 1970. */
    readonly second: () => number;
  };
}

export interface Watch {
  subscribe(listener: Listener): Subscription;
  /** A change happened: look soon. `missed` means that a look may not show every change, and is passed to the listeners. */
  signal(why?: { readonly missed: boolean }): void;
  close(): void;
}

/** Simultaneous events are reported together. */
const SIGNALLED_MS = 20;

/** One poller for all listeners; it runs only while there is one, and never two polls at once. */
export function pollingWatch(options: WatchOptions): Watch {
  const listeners = new Set<{ readonly emit: Listener }>();
  const looks = lookout(options);
  let timer: NodeJS.Timeout | null = null;
  let polling = false;
  let signalled = false;
  let missed = false;

  const emit = (event: ServerEvent) => {
    for (const listener of [...listeners]) if (listeners.has(listener)) listener.emit(event);
  };
  const poll = async () => {
    polling = true;
    const whole = signalled;
    signalled = false;
    const blind = missed;
    missed = false;
    const events = await looks.next(whole).finally(() => {
      polling = false;
    });
    if (listeners.size === 0) return;
    schedule(signalled ? SIGNALLED_MS : options.everyMs);
    if (blind && !events.includes(LOOK)) emit(LOOK);
    events.forEach(emit);
  };
  const schedule = (ms: number) => {
    if (listeners.size === 0 || polling) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      void poll();
    }, ms);
    timer.unref();
  };
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    looks.forget();
  };
  return {
    subscribe(notify) {
      const listener = { emit: notify };
      listeners.add(listener);
      queueMicrotask(() => listeners.has(listener) && looks.began() && notify(LOOK));
      if (!looks.began() && timer === null && !polling) void poll();
      return {
        close() {
          listeners.delete(listener);
          if (listeners.size === 0) stop();
        },
      };
    },
    signal(why) {
      missed ||= why?.missed === true;
      if (signalled) return;
      signalled = true;
      schedule(SIGNALLED_MS);
    },
    close() {
      listeners.clear();
      stop();
    },
  };
}

/** Looks, and reports differences from the previous look. After a failed look it starts over. */
function lookout({ list, recent }: WatchOptions) {
  let seen: Map<string, SeenPane> | null = null;
  let latest = 0;
  let listedAt = 0;
  let lookedIn = 0;

  async function whole(): Promise<ServerEvent[]> {
    lookedIn = recent?.second() ?? 0;
    const answer = await list();
    listedAt = performance.now();
    const panes = panesIn(answer);
    const events = panes === null ? [] : eventsSince(seen, panes);
    seen = null;
    latest = 0;
    if (panes !== null) see(new Map(), panes);
    return events;
  }

  function see(before: Map<string, SeenPane>, panes: readonly SeenPane[]): void {
    for (const pane of panes) before.set(paneKey(pane.identity), pane);
    latest = panes.reduce((most, { activeAt }) => Math.max(most, activeAt), latest);
    seen = before;
  }

  async function partial(before: Map<string, SeenPane>, look: NonNullable<WatchOptions["recent"]>): Promise<ServerEvent[]> {
    // Output before the second of the last look was seen by it; a clock set back does not count.
    const second = look.second();
    const since = Math.max(latest, Math.min(lookedIn, second));
    lookedIn = second;
    const answer = await look.panes(since);
    if (answer.kind !== "present") return whole();
    const known = answer.value.flatMap((pane) => before.get(paneKey(pane.identity)) ?? []);
    see(before, answer.value);
    return changes(known, answer.value);
  }

  return {
    next(all: boolean): Promise<ServerEvent[]> {
      const cheap = recent?.usable() === true && performance.now() - listedAt < recent.listEveryMs;
      return !all && cheap && seen !== null ? partial(seen, recent) : whole();
    },
    began: () => seen !== null,
    forget() {
      seen = null;
    },
  };
}

/** Null while that is unknown. */
function panesIn(answer: Answer<readonly SeenPane[]>): readonly SeenPane[] | null {
  if (answer.kind === "unknown") return null;
  return answer.kind === "absent" ? [] : answer.value;
}

function eventsSince(seen: ReadonlyMap<string, SeenPane> | null, panes: readonly SeenPane[]): ServerEvent[] {
  return seen === null ? [LOOK] : changes([...seen.values()], panes);
}

function byKey(panes: readonly SeenPane[]): ReadonlyMap<string, SeenPane> {
  return new Map(panes.map((pane) => [paneKey(pane.identity), pane]));
}

const LOOK: ServerEvent = { type: "look" };

/** Differences between two looks at the same server, or at two servers. */
export function changes(before: readonly SeenPane[], now: readonly SeenPane[]): ServerEvent[] {
  const old = byKey(before);
  const current = byKey(now);
  const closed = before.filter((pane) => !current.has(paneKey(pane.identity))).map((pane) => event("closed", pane));
  const others = now.flatMap((pane): ServerEvent[] => {
    const earlier = old.get(paneKey(pane.identity));
    if (earlier === undefined) return [event("opened", pane), ...(pane.exit === null ? [] : [event("exited", pane)])];
    return differences(earlier, pane);
  });
  return [...closed, ...others];
}

function differences(earlier: SeenPane, pane: SeenPane): ServerEvent[] {
  const { identity, sessionId, tmuxName, viewers } = pane;
  const events: ServerEvent[] = [];
  if (pane.activeAt !== earlier.activeAt) events.push(event("active", pane));
  if (tmuxName !== earlier.tmuxName) events.push({ type: "renamed", pane: identity, sessionId, tmuxName });
  if (viewers !== earlier.viewers) events.push({ type: "viewers", pane: identity, sessionId, viewers });
  if (pane.exit !== null && earlier.exit === null) events.push(event("exited", pane));
  return events;
}

function event(type: "opened" | "closed" | "exited" | "active", pane: SeenPane): ServerEvent {
  return { type, pane: pane.identity, sessionId: pane.sessionId };
}
