import { expect, test } from "vitest";
import type { FeedStep } from "../src/daemon/event-feed.js";
import { type LeadOptions, type PageMessage, shareFeed } from "../src/daemon/share-feed.js";

interface Tab {
  readonly received: (number | string)[];
  /** The feed that this tab follows; null while another tab leads. */
  readonly leading: () => LeadOptions | null;
  readonly joins: () => number;
  /** Ends the feeds that this tab has lost, if it was opened with `endsLate`. */
  readonly endLost: () => void;
  /** Makes the longest silence pass. */
  readonly silence: () => void;
  /** Delivers what other tabs have sent; until then it is pending, as in a browser. */
  readonly deliver: () => void;
  readonly close: () => void;
}

interface Inbox {
  readonly inbox: PageMessage[];
  take: (message: PageMessage) => void;
}

/** Tabs of one browser, with one lock and a channel between them. */
function browser() {
  const tabs = new Set<Inbox>();
  let holder: { readonly lose: () => void } | null = null;
  const queue = new Set<{ readonly grant: () => void }>();
  const next = () => {
    const [first] = queue;
    if (holder === null) first?.grant();
  };

  function open({ endsLate = false } = {}): Tab {
    const received: (number | string)[] = [];
    const me: Inbox = { inbox: [], take: () => undefined };
    const lost: (() => void)[] = [];
    let [leading, joins, open]: [LeadOptions | null, number, boolean] = [null, 0, true];
    let late: () => void = () => undefined;
    let release: () => void = () => undefined;
    tabs.add(me);
    shareFeed({
      follow(options) {
        leading = options;
        return new Promise((resolve) => {
          const end = () => {
            leading = null;
            if (endsLate) lost.push(resolve);
            else resolve();
          };
          options.signal.addEventListener("abort", end);
        });
      },
      onMessage: (message) => received.push(message.kind === "event" ? message.event.seq : message.kind),
      onJoin: () => joins++,
      hold: (work, { steal, signal }) =>
        new Promise((resolve) => {
          const grant = () => {
            queue.delete(wish);
            const taken = new AbortController();
            const mine = {
              lose: () => {
                taken.abort();
                resolve();
              },
            };
            holder = mine;
            release = () => {
              if (holder !== mine) return;
              holder = null;
              next();
            };
            void work(taken.signal).then(() => {
              release();
              resolve();
            });
          };
          const wish = { grant };
          if (steal) {
            holder?.lose();
            return grant();
          }
          queue.add(wish);
          signal.addEventListener("abort", () => {
            queue.delete(wish);
            resolve();
          });
          next();
        }),
      post(message) {
        if (open) for (const tab of tabs) if (tab !== me) tab.inbox.push(message);
      },
      listen(take) {
        me.take = take;
        return () => tabs.delete(me);
      },
      later(run) {
        late = run;
        return () => {
          late = () => undefined;
        };
      },
      every: () => () => undefined,
      newTerm: () => crypto.randomUUID(),
    });
    return {
      received,
      leading: () => leading,
      joins: () => joins,
      endLost: () => {
        for (const end of lost.splice(0)) end();
      },
      silence: () => late(),
      deliver() {
        for (const message of me.inbox.splice(0)) me.take(message);
      },
      close() {
        open = false;
        tabs.delete(me);
        release();
      },
    };
  }

  return { open };
}

const step = (message: FeedStep["message"], after: string | null, last: string | null): FeedStep => ({ message, after, last });
const event = (seq: number): FeedStep => step({ kind: "event", event: { seq, type: "session_created" } }, String(seq - 1), String(seq));

function lead(tab: Tab, ...steps: readonly FeedStep[]): void {
  for (const each of steps) tab.leading()?.onStep(each);
}

/** Three tabs; the first one's feed is connected at number 4. */
function threeTabs() {
  const { open } = browser();
  const [first, second, third] = [open(), open(), open()];
  lead(first, step({ kind: "connected" }, null, null), step({ kind: "alive" }, null, "4"));
  for (const tab of [first, second, third]) tab.deliver();
  return { first, second, third, open };
}

test("one tab follows the events, and all receive them", () => {
  const { first, second, third } = threeTabs();
  expect([first, second, third].map((tab) => tab.leading() !== null)).toEqual([true, false, false]);
  lead(first, event(5), event(6), step({ kind: "cut" }, "6", "6"), step({ kind: "connected" }, "6", "6"));
  for (const tab of [second, third]) tab.deliver();
  for (const tab of [first, second, third]) expect(tab.received).toEqual(["connected", 5, 6, "cut", "connected"]);
});

test("a tab that opens later learns that the feed is connected, and receives what follows", () => {
  const { first, open } = threeTabs();
  lead(first, event(5));
  const late = open();
  first.deliver();
  late.deliver();
  lead(first, event(6));
  late.deliver();
  expect(late.received).toEqual(["connected", 6]);
  expect(first.joins()).toBeGreaterThan(0);
});

test("when the leader closes, the next tab continues after its last number, and nothing is lost or doubled", async () => {
  const { first, second, third } = threeTabs();
  lead(first, event(5), event(6));
  third.deliver();
  first.close();
  await expect.poll(() => second.leading()).not.toBeNull();
  // The last messages of the closed tab have not reached it yet, so it asks for them again.
  expect(second.leading()?.after).toBe("4");
  second.deliver();
  lead(second, step({ kind: "connected" }, "4", "4"), event(5), event(6), event(7));
  third.deliver();
  expect(second.received).toEqual(["connected", "connected", 5, 6, 7]);
  expect(third.received).toEqual(["connected", 5, 6, "connected", 7]);
});

test("a suspended leader is replaced after a silence, and becomes a follower when it continues", async () => {
  const { first, second, third } = threeTabs();
  second.silence();
  await expect.poll(() => second.leading()).not.toBeNull();
  expect(first.leading()).toBeNull();
  lead(second, step({ kind: "connected" }, "4", "4"), event(5));
  for (const tab of [first, third]) tab.deliver();
  expect(first.received.at(-1)).toBe(5);
  expect(third.received).toEqual(["connected", "connected", 5]);
});

test("a tab that leads again still leads after its earlier feed has ended", async () => {
  const { open } = browser();
  const [first, second] = [open({ endsLate: true }), open()];
  lead(first, step({ kind: "connected" }, null, null), step({ kind: "alive" }, null, "4"));
  second.deliver();
  second.silence();
  await expect.poll(() => second.leading()).not.toBeNull();
  first.silence();
  await expect.poll(() => first.leading()).not.toBeNull();
  lead(first, step({ kind: "connected" }, "4", "4"));
  first.endLost();
  await new Promise(setImmediate);
  const third = open();
  first.deliver();
  third.deliver();
  expect(third.received).toEqual(["connected"]);
});

test("what an earlier leader sends late does not count as the state of the connection", async () => {
  const { first, second, third } = threeTabs();
  const stale = first.leading();
  lead(first, step({ kind: "cut" }, "4", "4"));
  second.silence();
  await expect.poll(() => second.leading()).not.toBeNull();
  stale?.onStep(step({ kind: "cut" }, "4", "4"));
  lead(second, step({ kind: "connected" }, "4", "4"));
  third.deliver();
  expect(third.received).toEqual(["connected", "cut", "connected"]);
});

test("a tab that has missed numbers reads everything again", () => {
  const { first, second } = threeTabs();
  lead(first, { ...event(9), after: "8" });
  second.deliver();
  expect(second.received).toEqual(["connected", "behind", 9]);
});

test("a new leader without a number makes tabs that have one read what they may have missed", async () => {
  const { first, open } = threeTabs();
  const late = open();
  late.silence();
  await expect.poll(() => late.leading()).not.toBeNull();
  lead(late, step({ kind: "connected" }, null, null), step({ kind: "alive" }, null, "9"), event(10));
  first.deliver();
  expect(first.received).toEqual(["connected", "connected", "behind", 10]);
});

test("event numbers that go back are followed", () => {
  const { first, second } = threeTabs();
  lead(first, step({ kind: "behind" }, "4", "1"), event(2));
  second.deliver();
  expect(second.received).toEqual(["connected", "behind", 2]);
});

test("after a refusal no tab reconnects", async () => {
  const { first, second, third } = threeTabs();
  lead(first, step({ kind: "refused", status: 401 }, "4", "4"));
  for (const tab of [second, third]) tab.deliver();
  first.close();
  await new Promise(setImmediate);
  for (const tab of [second, third]) {
    expect(tab.received).toEqual(["connected", "refused"]);
    expect(tab.leading()).toBeNull();
  }
});
