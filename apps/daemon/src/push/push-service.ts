import { createECDH, createHash } from "node:crypto";
import { linkedSignal } from "@tmpm/core";
import * as z from "zod";

/** A browser's subscription from its `PushManager`, with the login that it belongs to. */
export const Subscription = z.object({
  device_id: z.string(),
  endpoint: z.url(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
  created_at: z.string(),
});
export type Subscription = Readonly<z.infer<typeof Subscription>>;

/** The key pair that identifies this home to push services (RFC 8292). */
export const VapidKeys = z.object({ publicKey: z.string(), privateKey: z.string() });
export type VapidKeys = Readonly<z.infer<typeof VapidKeys>>;

export type Delivery =
  | { readonly kind: "accepted" }
  /** The subscription has expired (RFC 8030, 7.3). */
  | { readonly kind: "ended" }
  | { readonly kind: "refused" | "failed"; readonly reason: string };

export interface Delivering {
  readonly keys: VapidKeys;
  readonly text: string;
  /** An undelivered text is replaced by a newer one of the same topic (RFC 8030, 5.4); null for none. */
  readonly topic: string | null;
  /** Whether to deliver immediately, even at night. */
  readonly urgent: boolean;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 15_000;
/** Time after which a push service drops undelivered texts, because they are out of date. */
const TTL_S = 12 * 3600;
/** The contact for a push service's operator. It is not a person, because tmpm has no central server. */
const SUBJECT = "mailto:tmpm@example.com";

/** Loaded with the first device: few daemons have one. */
const webPush = async () => (await import("web-push")).default;

/** A key pair on the curve P-256: the point uncompressed, the number in 32 bytes (RFC 8292, 3.2). */
export function newVapidKeys(): VapidKeys {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys("base64url");
  const number = pair.getPrivateKey();
  return { publicKey, privateKey: Buffer.concat([Buffer.alloc(32 - number.length), number]).toString("base64url") };
}

/** Encrypts a text for one browser and sends it to its push service. Redirects are not followed. */
export async function deliver({ endpoint, keys }: Subscription, delivering: Delivering): Promise<Delivery> {
  const deadline = linkedSignal(delivering.signal, AbortSignal.timeout(TIMEOUT_MS));
  try {
    const details = (await webPush()).generateRequestDetails({ endpoint, keys }, delivering.text, {
      vapidDetails: { subject: SUBJECT, ...delivering.keys },
      TTL: TTL_S,
      urgency: delivering.urgent ? "high" : "normal",
      contentEncoding: "aes128gcm",
      ...(delivering.topic === null ? {} : { topic: topicOf(delivering.topic) }),
    });
    const { "Content-Length": _, ...headers } = details.headers as Readonly<Record<string, string | number>>;
    const body = new Uint8Array(details.body ?? Buffer.alloc(0));
    const sent = { method: details.method, headers: textOf(headers), body, redirect: "manual", signal: deadline.signal } as const;
    const response = await fetch(endpoint, sent);
    await response.body?.cancel();
    return verdict(response.status);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { kind: "failed", reason: error.name === "TimeoutError" ? `no answer within ${TIMEOUT_MS / 1000} s` : causeOf(error) };
  } finally {
    deadline.release();
  }
}

/** At most 32 characters of base64url, without revealing a session's id to the push service. */
function topicOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 32);
}

function verdict(status: number): Delivery {
  if (status >= 200 && status < 300) return { kind: "accepted" };
  if (status === 404 || status === 410) return { kind: "ended" };
  return { kind: "refused", reason: `the push service responded with ${status}` };
}

function textOf(headers: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Neither contains the address, which is a secret. */
function causeOf({ name, cause }: Error): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : name;
}
