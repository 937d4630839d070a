import type { EventAnswer } from "@tmpm/api";
import { sessionRefreshes } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core/errors";
import { forgetDraft, storedDrafts } from "../state/drafts.js";
import { heard } from "../state/heard.js";
import { login, noteLoggedIn, noteLoggedOut } from "../state/me.js";
import { connection, gone, isListed, listed, seen, sessions } from "../state/sessions.js";
import { ALIVE_MS, SILENT_MS } from "./alive.js";
import { BASE } from "./base.js";
import { type FeedMessage, followEvents } from "./event-feed.js";
import { keepTrying } from "./keep-trying.js";
import { pageChannel } from "./page-channel.js";
import { shareFeed } from "./share-feed.js";
import { sweepDrafts } from "./sweep-drafts.js";
import { every, later, sleep } from "./timers.js";
import { tmpm } from "./tmpm.js";
import { wakeable } from "./wakeable.js";

/** Keeps the page's sessions in sync with the daemon's for the page's lifetime. */
export function startFeed(): void {
  const refreshes = sessionRefreshes({
    client: tmpm,
    listed(list) {
      const isFirst = !isListed.value;
      listed(list);
      if (isFirst) void sweep();
    },
    seen,
    gone,
    // After a reconnect everything is listed again anyway.
    failed(error) {
      if (!isTmpmError(error)) throw error;
      return connection.value === "live";
    },
    pause: sleep,
  });
  let connections = 0;
  const sooner = wakeable();
  const network = cuttable();
  const feed = shareFeed({
    ...pageChannel(),
    follow: ({ after, signal, onStep }) =>
      followEvents({
        url: `${BASE}/v1/events`,
        after,
        aliveMs: ALIVE_MS,
        fetch: (input, init) => fetch(input, { ...init, signal: network.with(init?.signal) }),
        signal,
        pause: sooner.pause,
        watch,
        onStep,
      }),
    onMessage,
    onJoin: () => sooner.wake(),
    later,
    every,
    newTerm: () => crypto.randomUUID(),
  });
  // The list is shown before the events are connected; what changed in between is read then.
  refreshes.all();
  const rejoin = () => {
    sooner.wake();
    feed.join();
  };
  addEventListener("online", rejoin);
  addEventListener("offline", () => {
    connection.value = "cut";
    feed.cut();
    network.cut();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") rejoin();
  });

  function onMessage(message: FeedMessage): void {
    if (message.kind === "connected") {
      connection.value = "live";
      refreshes.all();
      void learnMe();
    } else if (message.kind === "cut") connection.value = "cut";
    else if (message.kind === "behind") refreshes.all();
    else if (message.kind === "refused") noteLoggedOut();
    else take(message.event);
  }

  async function learnMe(): Promise<void> {
    const mine = ++connections;
    const isWanted = () => connections === mine && connection.value === "live" && login.value.kind !== "logged_out";
    const who = await keepTrying(() => tmpm.whoami(), { isWanted, pause: sleep });
    if (who !== null) noteLoggedIn(who);
  }

  function take(event: EventAnswer): void {
    refreshes.after(event);
    heard(event);
  }
}

function sweep(): Promise<void> {
  return sweepDrafts({
    drafts: storedDrafts(),
    isListed: (session) => sessions.value.has(session),
    show: (session) => tmpm.show({ session }),
    forget: forgetDraft,
    now: Date.now(),
  });
}

/** Aborts the open request when the browser reports that it is offline. */
function cuttable(): { with(signal: AbortSignal | null | undefined): AbortSignal; cut(): void } {
  let current = new AbortController();
  return {
    with(signal) {
      const controller = new AbortController();
      signal?.addEventListener("abort", () => controller.abort(), { once: true });
      current = controller;
      return controller.signal;
    },
    cut: () => current.abort(),
  };
}

function watch(late: () => void): { heard(): void; stop(): void } {
  let timer = setTimeout(late, SILENT_MS);
  return {
    heard() {
      clearTimeout(timer);
      timer = setTimeout(late, SILENT_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
