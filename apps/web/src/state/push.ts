import type { PushAnswer } from "@tmpm/api";
import { later } from "../daemon/timers.js";
import { tmpm } from "../daemon/tmpm.js";
import { isFor, type PushBrowser, subscribeBrowser } from "./subscribe-browser.js";

const browser: PushBrowser = {
  permission: () => Notification.requestPermission(),
  worker: () => navigator.serviceWorker.ready,
  later,
};

/** Why this browser cannot be notified; null if it can. */
export function whyNoPush(): string | null {
  if (!isSecureContext) return "Notifications need https, or an address on this machine.";
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis))
    return "This browser does not support Web Push. On an iPhone, add the page to the home screen first.";
  return Notification.permission === "denied" ? "Notifications are blocked for this page; allow them in the browser's settings." : null;
}

/** Asks the user, subscribes the browser, then registers the subscription with the daemon. */
export async function turnOnPush(publicKey: string): Promise<PushAnswer> {
  const { endpoint = "", keys = {} } = (await subscribeBrowser(browser, publicKey)).toJSON();
  return tmpm.subscribePush({ endpoint, keys: { p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" } });
}

export async function turnOffPush(): Promise<PushAnswer> {
  await (await ownSubscription())?.unsubscribe();
  return tmpm.unsubscribePush();
}

/** Whether this browser still has its subscription. It ends with its permission, and the daemon's key may have changed since. */
export async function hasSubscription(publicKey: string): Promise<boolean> {
  const own = await ownSubscription();
  return own !== null && isFor(own, publicKey);
}

async function ownSubscription(): Promise<PushSubscription | null> {
  if (whyNoPush() !== null) return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}
