import type { PushAnswer } from "@tmpm/api";
import { tmpm } from "../daemon/tmpm.js";

/** Why this browser cannot be notified; null if it can. */
export function whyNoPush(): string | null {
  if (!isSecureContext) return "Notifications need https, or an address on this machine.";
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis))
    return "This browser has no Web Push. On an iPhone, add the page to the home screen first.";
  return Notification.permission === "denied" ? "Notifications are blocked for this page; allow them in the browser's settings." : null;
}

/** Asks the user, subscribes the browser, then registers the subscription with the daemon. */
export async function turnOnPush(publicKey: string): Promise<PushAnswer> {
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return tmpm.subscribePush({ endpoint, keys: { p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" } });
}

export async function turnOffPush(): Promise<PushAnswer> {
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = await worker?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  return tmpm.unsubscribePush();
}

/** From base64url, because browsers before 2024 do not accept text. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const padded = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(padded), (character) => character.charCodeAt(0));
}
