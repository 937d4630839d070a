import { TmpmError } from "@tmpm/core/errors";

export interface PushBrowser {
  /** Asks the user, unless they have answered before. */
  readonly permission: () => Promise<NotificationPermission>;
  /** The page's worker, once it is active. */
  readonly worker: () => Promise<{ readonly pushManager: Pick<PushManager, "getSubscription" | "subscribe"> }>;
  /** Runs a function after a time in ms; returns its cancellation. */
  readonly later: (run: () => void, ms: number) => () => void;
}

const PERMISSION: Limit = { ms: 60_000, late: "the browser's question about notifications was not answered", effect: "none" };
const WORKER: Limit = {
  ms: 10_000,
  late: "the page's service worker did not start",
  hint: "Reload the page, then try again.",
  effect: "none",
};
const SERVICE = { ms: 30_000, late: "the browser's push service did not answer", hint: "Try again, or on another network." };
const READ: Limit = { ...SERVICE, effect: "none" };
/** The service may have received the request. */
const CHANGE: Limit = { ...SERVICE, effect: "unknown" };

/**
 * The browser's subscription to notifications that are signed with a key; one for another key is replaced.
 * @throws INVALID_STATE without the user's permission, TIMEOUT, and the browser's `DOMException`
 */
export async function subscribeBrowser({ permission, worker, later }: PushBrowser, publicKey: string): Promise<PushSubscription> {
  const within = limiter(later);
  const allowed = await within(permission(), PERMISSION);
  if (allowed !== "granted") throw notAllowed(allowed);
  const { pushManager } = await within(worker(), WORKER);
  const last = await within(pushManager.getSubscription(), READ);
  if (last !== null && isFor(last, publicKey)) return last;
  // A browser refuses a second subscription with another key.
  if (last !== null) await within(last.unsubscribe(), CHANGE);
  return within(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) }), CHANGE);
}

/** Whether a subscription accepts notifications that are signed with a key. A browser that does not report its key is trusted. */
export function isFor({ options }: Pick<PushSubscription, "options">, publicKey: string): boolean {
  const { applicationServerKey: key } = options;
  return key === null || String(new Uint8Array(key)) === String(bytesOf(publicKey));
}

function notAllowed(answer: NotificationPermission): TmpmError {
  return answer === "denied"
    ? new TmpmError("INVALID_STATE", "notifications are blocked for this page", { hint: "Allow them in the browser's settings." })
    : new TmpmError("INVALID_STATE", "the browser's question about notifications was closed without an answer", { hint: "Try again." });
}

interface Limit {
  readonly ms: number;
  readonly late: string;
  readonly hint?: string;
  readonly effect: "none" | "unknown";
}

function limiter(later: PushBrowser["later"]) {
  return <T>(work: Promise<T>, { ms, late, hint = "Try again.", effect }: Limit): Promise<T> =>
    new Promise((resolve, reject) => {
      const stop = later(() => reject(new TmpmError("TIMEOUT", late, { hint, effect })), ms);
      work.then(resolve, reject).finally(stop);
    });
}

/** From base64url, because browsers before 2024 do not accept text. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const padded = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(padded), (character) => character.charCodeAt(0));
}
