import { expect, test } from "vitest";
import { type PushBrowser, subscribeBrowser } from "../src/state/subscribe-browser.js";

const KEY = "BNbxGYNM";
const OTHER = "BAAAAAAA";
const bytes = (key: string) => new Uint8Array(Buffer.from(key, "base64url")).buffer;
const never = new Promise<never>(() => undefined);
/** A subscription for another key, which never ends. */
const stuck = { options: { applicationServerKey: bytes(OTHER) }, unsubscribe: () => never } as unknown as PushSubscription;

/** A browser with a subscription for a key, or none; `more` replaces parts of it. */
function browser(last: string | null, more: Partial<PushBrowser> = {}) {
  const [calls, limits]: [string[], { readonly ms: number; readonly run: () => void }[]] = [[], []];
  const subscription = (key: string) =>
    ({
      options: { applicationServerKey: bytes(key) },
      unsubscribe: async () => calls.push(`unsubscribe ${key}`) > 0,
    }) as unknown as PushSubscription;
  const pushManager = {
    getSubscription: async () => (last === null ? null : subscription(last)),
    async subscribe(options?: PushSubscriptionOptionsInit) {
      const key = Buffer.from(options?.applicationServerKey as Uint8Array).toString("base64url");
      calls.push(`subscribe ${key}`);
      return subscription(key);
    },
  };
  const ports: PushBrowser = {
    permission: async () => "granted",
    worker: async () => ({ pushManager }),
    later(run, ms) {
      const limit = { ms, run };
      limits.push(limit);
      return () => void limits.splice(limits.indexOf(limit), 1);
    },
    ...more,
  };
  return { ports, calls, limits };
}

test.each([
  ["without a subscription, it makes one", null, [`subscribe ${KEY}`]],
  ["a subscription for the same key is kept", KEY, []],
  ["one for another key is replaced", OTHER, [`unsubscribe ${OTHER}`, `subscribe ${KEY}`]],
])("%s", async (_, last, expected) => {
  const { ports, calls, limits } = browser(last);
  await subscribeBrowser(ports, KEY);
  expect(calls).toEqual(expected);
  expect(limits).toEqual([]);
});

test.each([
  ["a question that was not answered", "none", { permission: () => never }, /question about notifications was not answered/],
  ["a worker that does not start", "none", { worker: () => never }, /service worker did not start/],
  [
    "a subscription that the browser does not report",
    "none",
    { worker: async () => ({ pushManager: { getSubscription: () => never, subscribe: () => never } }) },
    /push service did not answer/,
  ],
  [
    "a push service that does not answer a subscription",
    "unknown",
    { worker: async () => ({ pushManager: { getSubscription: async () => null, subscribe: () => never } }) },
    /push service did not answer/,
  ],
  [
    "a push service that does not answer a cancellation",
    "unknown",
    { worker: async () => ({ pushManager: { getSubscription: async () => stuck, subscribe: () => never } }) },
    /push service did not answer/,
  ],
])("%s is reported after a time limit, with the effect %s", async (_, effect, more, message) => {
  const { ports, limits } = browser(null, more);
  const result = subscribeBrowser(ports, KEY);
  const expected = expect(result).rejects.toMatchObject({ code: "TIMEOUT", message: expect.stringMatching(message), effect });
  await expect.poll(() => limits.length).toBe(1);
  limits[0]?.run();
  await expected;
});

test.each([
  ["denied", /blocked for this page/],
  ["default", /closed without an answer/],
] as const)("the answer %s is reported, and nothing is subscribed", async (answer, message) => {
  const { ports, calls } = browser(null, { permission: async () => answer });
  await expect(subscribeBrowser(ports, KEY)).rejects.toMatchObject({ code: "INVALID_STATE", message: expect.stringMatching(message) });
  expect(calls).toEqual([]);
});
