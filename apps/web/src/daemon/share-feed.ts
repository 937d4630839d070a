import { ALIVE_MS, SILENT_MS } from "./alive.js";
import type { FeedMessage, FeedStep } from "./event-feed.js";

/** What the pages of one browser send each other. */
export type PageMessage =
  /** From every page that opens or comes into view: the leader answers, and retries at once if it is not connected. */
  | { readonly kind: "join" }
  /** From the leader: its state. `term` identifies a period of leadership. */
  | { readonly kind: "lead"; readonly term: string; readonly link: Link; readonly last: string | null }
  /** From the leader: what its feed received. */
  | { readonly kind: "step"; readonly term: string; readonly step: FeedStep };

type Link = "opening" | "connected" | "cut";

export interface LeadOptions {
  readonly after: string | null;
  /** Aborted when another page has taken the lead. */
  readonly signal: AbortSignal;
  readonly onStep: (step: FeedStep) => void;
}

export interface ShareFeedOptions {
  /** Follows the events of the daemon. Resolves when they are refused, or the signal aborts. */
  readonly follow: (options: LeadOptions) => Promise<void>;
  readonly onMessage: (message: FeedMessage) => void;
  /** The leader's feed should retry now. */
  readonly onJoin: () => void;
  /**
   * Runs `work` while no other page of the browser does: after them, or at once with `steal`, which aborts theirs. Resolves when the work is done, was taken
   * over, or the signal aborts the waiting.
   */
  readonly hold: (
    work: (taken: AbortSignal) => Promise<void>,
    how: { readonly steal: boolean; readonly signal: AbortSignal },
  ) => Promise<void>;
  /** Reaches all other pages. */
  readonly post: (message: PageMessage) => void;
  /** Receives from all other pages, until the returned function is called. */
  readonly listen: (take: (message: PageMessage) => void) => () => void;
  /** Runs a function after a time in ms; returns its cancellation. */
  readonly later: (run: () => void, ms: number) => () => void;
  /** Runs a function at an interval in ms; returns its cancellation. */
  readonly every: (run: () => void, ms: number) => () => void;
  readonly newTerm: () => string;
}

/** Maximum silence of the leader after a `join`, in ms. */
const ANSWER_MS = 1_500;

/** One feed for all pages of a browser: one of them follows the events and passes them on; when it closes, the next one continues after the last number. */
export function shareFeed(options: ShareFeedOptions): { join(): void; cut(): void } {
  const { follow, onMessage, onJoin, hold, post, listen, later, every, newTerm } = options;
  let [link, last]: [Link, string | null] = ["opening", null];
  let leads = false;
  /** Of the feed that this page leads; `opening` until its first response. */
  let led: Link = "opening";
  let term: string | null = null;
  let isOver = false;
  let [waiting, steal] = [new AbortController(), false];
  let unwatch: () => void = () => undefined;

  const unlisten = listen((message) => {
    if (message.kind === "join") {
      if (!leads) return;
      report();
      onJoin();
    } else if (!leads) heed(message);
  });
  void run();
  join();

  async function run(): Promise<void> {
    while (!isOver) {
      waiting = new AbortController();
      const how = { steal, signal: waiting.signal };
      if (!steal) suspect(link === "opening" ? ANSWER_MS : SILENT_MS);
      steal = false;
      await hold(lead, how);
    }
    unwatch();
    unlisten();
  }

  /** Takes the lead if nothing is heard for a time in ms. */
  function suspect(ms: number): void {
    unwatch();
    unwatch = later(() => {
      steal = true;
      waiting.abort();
    }, ms);
  }

  async function lead(taken: AbortSignal): Promise<void> {
    if (isOver) return;
    unwatch();
    [leads, led] = [true, "opening"];
    const mine = newTerm();
    term = mine;
    report();
    const stopReports = every(report, ALIVE_MS);
    const pass = (step: FeedStep) => {
      if (taken.aborted) return;
      const { kind } = step.message;
      if (kind === "connected" || kind === "cut") led = kind;
      take(step);
      post({ kind: "step", term: mine, step });
    };
    const end = () => {
      stopReports();
      leads = false;
    };
    taken.addEventListener("abort", end);
    await follow({ after: last, signal: taken, onStep: pass });
    // This page may lead again meanwhile.
    if (!taken.aborted) end();
  }

  function report(): void {
    if (term !== null) post({ kind: "lead", term, link: led, last });
  }

  /** Late messages of an earlier leader still count as events, but not about the connection. */
  function heed(message: Exclude<PageMessage, { kind: "join" }>): void {
    if (message.kind === "step") {
      const { kind } = message.step.message;
      const isLink = kind === "connected" || kind === "cut" || kind === "refused";
      if (message.term === term) suspect(SILENT_MS);
      if (message.term === term || !isLink) take(message.step);
      return;
    }
    term = message.term;
    suspect(SILENT_MS);
    last ??= message.last;
    if (message.link === link || message.link === "opening") return;
    link = message.link;
    onMessage({ kind: link === "cut" ? "cut" : "connected" });
  }

  function take({ message, after, last: reached }: FeedStep): void {
    if (message.kind === "connected" || message.kind === "cut") link = message.kind;
    else if (message.kind === "refused") {
      isOver = true;
      waiting.abort();
    } else {
      // The numbers may have gone back: the daemon then reports a lower newest one.
      if (message.kind !== "behind" && last !== null) {
        if (isUpTo(reached, last)) return;
        if (after === null || !isUpTo(after, last)) onMessage({ kind: "behind" });
      }
      last = reached;
    }
    if (message.kind !== "alive") onMessage(message);
  }

  function join(): void {
    if (leads || isOver) return;
    suspect(ANSWER_MS);
    post({ kind: "join" });
  }

  /** Until the next report of the leader. The leader's own stream reports its end itself. */
  function cut(): void {
    if (!leads && !isOver) link = "cut";
  }

  return { join, cut };
}

/** Whether an event number is not greater than a known one. */
function isUpTo(number: string | null, known: string): boolean {
  return number === null || Number(number) <= Number(known);
}
