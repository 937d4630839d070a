import type { PushAnswer, PushEntry, PushMessage } from "@tmpm/api";
import { isProtected } from "@tmpm/api/local";
import { TmpmError, timestampFromMs } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import type { Caller } from "../guard/caller.js";
import type { Notice } from "../notify/notice.js";
import type { Handlers } from "../routes/handlers.js";
import type { Token } from "../tokens/token.js";
import { keptLedger, type Ledger } from "./ledger.js";
import { presence } from "./presence.js";
import { deliver, newVapidKeys, type Subscription, type VapidKeys } from "./push-service.js";

export interface PushOptions {
  readonly subscriptions: DocumentStore<Subscription>;
  readonly keyStore: DocumentStore<VapidKeys>;
  readonly ledgerStore: DocumentStore<Ledger>;
  /** The login of a device; null once it has ended. */
  readonly device: (id: string) => Pick<Token, "name"> | null;
  /** Wall clock in milliseconds. */
  readonly clock: () => number;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

/** Notifications by Web Push to the subscribed browsers. */
export interface Push {
  readonly routes: Pick<Handlers, "push" | "subscribePush" | "unsubscribePush" | "reportPresence" | "testPush">;
  /** Sends to every device whose page is not in view. Never blocks and never fails. */
  notify(notice: Pick<Notice, "kind" | "title" | "entries">): void;
  isSubscribed(deviceId: string): boolean;
  /** Removes a logged-out device's subscription. */
  forget(deviceId: string): Promise<void>;
  close(): Promise<void>;
}

const KEYS = "vapid";
const TEST: PushMessage = { kind: "test", session_id: null, title: "tmpm can notify you here" };

export async function push(options: PushOptions): Promise<Push> {
  const { subscriptions, keyStore, ledgerStore, device, clock, report } = options;
  const { documents, damaged } = await subscriptions.all();
  for (const { path, reason } of damaged) report({ doing: `reading the push subscription in ${path}`, error: new Error(reason) });
  const known = new Map(documents);
  const keys = await vapidKeys(keyStore, report);
  const looking = presence(clock);
  const closing = new AbortController();
  const ledger = await keptLedger({ documents: ledgerStore, report });
  const underWay = new Set<Promise<unknown>>();

  async function forget(deviceId: string): Promise<void> {
    looking.forget(deviceId);
    if (known.delete(deviceId)) await subscriptions.delete(deviceId);
  }

  /** A browser that logged in again has another device id but the same subscription: it is notified once. */
  async function leaveOne({ device_id, endpoint }: Subscription): Promise<void> {
    const others = [...known.values()].filter((each) => each.endpoint === endpoint && each.device_id !== device_id);
    for (const other of others) if (known.delete(other.device_id)) await subscriptions.delete(other.device_id);
  }

  function enter({ device_id }: Subscription, entry: PushMessage & Pick<PushEntry, "outcome" | "reason">): void {
    const { kind, session_id, title, outcome, reason } = entry;
    const name = device(device_id)?.name ?? "a device that was logged out";
    ledger.enter({ kind, session_id, title, at: timestampFromMs(clock()), device_id, device: name, outcome, reason });
  }

  async function send(subscription: Subscription, message: PushMessage): Promise<void> {
    const { device_id } = subscription;
    if (device(device_id) === null) {
      enter(subscription, { ...message, outcome: "ended", reason: "the device is logged out" });
      return forget(device_id);
    }
    if (message.kind !== "test" && looking.until(device_id) !== null)
      return enter(subscription, { ...message, outcome: "suppressed", reason: "the page is in view on this device" });
    const urgent = message.kind === "needs_you" || message.kind === "test";
    const text = JSON.stringify(message);
    const ended = await deliver(subscription, { keys, text, topic: message.session_id, urgent, signal: closing.signal });
    const reason = ended.kind === "accepted" ? null : ended.kind === "ended" ? "the browser has ended the subscription" : ended.reason;
    enter(subscription, { ...message, outcome: ended.kind, reason });
    // A newer subscription may have replaced it meanwhile.
    if (ended.kind === "ended" && known.get(device_id) === subscription) await forget(device_id);
  }

  function sendTo(all: readonly Subscription[], message: PushMessage): Promise<unknown> {
    const sent = Promise.all(
      all.map((each) => send(each, message).catch((error: unknown) => report({ doing: "sending a notification to a browser", error }))),
    );
    underWay.add(sent);
    void sent.then(() => underWay.delete(sent));
    return sent;
  }

  function answer(caller: Caller): PushAnswer {
    return {
      public_key: keys.publicKey,
      subscribed: caller.kind === "login" && known.has(caller.token.id),
      subscriptions: [...known.values()].map(({ device_id, endpoint, created_at }) => ({
        device_id,
        device: device(device_id)?.name ?? device_id,
        service: new URL(endpoint).host,
        created_at,
      })),
      ledger: [...ledger.entries()],
    };
  }

  return {
    isSubscribed: (deviceId) => known.has(deviceId),
    forget,
    notify({ kind, title, entries }) {
      const [only] = entries.length === 1 ? entries : [];
      void sendTo([...known.values()], { kind, session_id: only?.session_id ?? null, title });
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
      await ledger.written();
    },
    routes: {
      push: async (_input, { admitted }) => answer(admitted.caller),
      async subscribePush({ endpoint, keys: own }, { admitted }) {
        const id = deviceOf(admitted.caller);
        if (!isProtected(new URL(endpoint))) throw new TmpmError("INVALID_ARGUMENT", "a push service must use https");
        const subscription = { device_id: id, endpoint, keys: own, created_at: timestampFromMs(clock()) };
        await subscriptions.put(id, subscription);
        known.set(id, subscription);
        await leaveOne(subscription);
        return answer(admitted.caller);
      },
      async unsubscribePush(_input, { admitted }) {
        await forget(deviceOf(admitted.caller));
        return answer(admitted.caller);
      },
      async reportPresence({ visible, focused, page }, { admitted }) {
        const until = looking.report({ deviceId: deviceOf(admitted.caller), page }, visible && focused);
        return { suppressed_until: until === null ? null : timestampFromMs(until) };
      },
      async testPush(_input, { admitted: { caller } }) {
        const all = [...known.values()].filter(({ device_id }) => caller.kind !== "login" || device_id === caller.token.id);
        if (all.length === 0)
          throw new TmpmError("INVALID_STATE", "notifications are not enabled on any device", {
            hint: "Enable them in the page's settings on that device.",
          });
        await sendTo(all, TEST);
        return answer(caller);
      },
    },
  };
}

/** @throws INVALID_STATE */
function deviceOf(caller: Caller): string {
  if (caller.kind === "login") return caller.token.id;
  throw new TmpmError("INVALID_STATE", "only a browser that has logged in can do this", { hint: "Log one in with `tmpm web`." });
}

/** New keys would end every subscription, so unreadable ones are not replaced on disk. */
async function vapidKeys(keyStore: DocumentStore<VapidKeys>, report: PushOptions["report"]): Promise<VapidKeys> {
  try {
    const kept = await keyStore.get(KEYS);
    if (kept !== null) return kept;
    const made = newVapidKeys();
    await keyStore.put(KEYS, made);
    return made;
  } catch (error) {
    report({ doing: "reading or writing the keys for notifications to browsers", error });
    return newVapidKeys();
  }
}
