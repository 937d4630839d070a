import { createHmac } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isProtected } from "@tmpm/api/local";
import { linkedSignal, TmpmError } from "@tmpm/core";
import type { Channel } from "./channel.js";
import type { Notice } from "./notice.js";

export interface WebhookSettings {
  readonly url: string | null;
  readonly secretFile: string | null;
  readonly allowHttp: boolean;
}

export interface WebhookChannelOptions {
  readonly settings: () => WebhookSettings;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly timeoutMs?: number;
}

/** Delays before each retry. */
const PAUSES_MS: readonly number[] = [2_000, 10_000, 60_000];
const MOST_PAUSE_MS = 120_000;

/**
 * Posts each notice as JSON, signed as in the Standard Webhooks specification 1.0. Transient failures are retried; redirects are not followed, since
 * their targets were not authorized.
 */
export function webhookChannel(options: WebhookChannelOptions): Channel {
  const { settings, timeoutMs = 10_000 } = options;
  const wait = options.wait ?? ((ms, signal) => sleep(ms, undefined, { signal, ref: false }));
  return {
    name: "webhook",
    target() {
      const { url } = settings();
      return url === null ? null : new URL(url).origin;
    },
    async send(notice, { signal }) {
      for (let attempt = 0; ; attempt++) {
        const tried = await post(notice, { ...options, timeoutMs, signal });
        if (tried.kind === "done") return;
        const pause = PAUSES_MS[attempt];
        if (tried.kind === "refused" || pause === undefined || signal.aborted) throw failed(tried.why, attempt + 1);
        await wait(Math.min(MOST_PAUSE_MS, Math.max(pause, tried.afterMs)), signal);
      }
    },
  };
}

type Tried =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "later"; readonly why: string; readonly afterMs: number };

async function post(
  notice: Notice,
  { settings, version, now, timeoutMs, signal }: WebhookChannelOptions & { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Tried> {
  const { url, secretFile, allowHttp } = settings();
  if (url === null) return { kind: "refused", why: "the address is no longer set" };
  if (!allowHttp && !isProtected(new URL(url)))
    return { kind: "refused", why: "the address is plain http to another machine; set notify.webhook.allow_http to allow that" };
  const body = JSON.stringify(notice);
  const at = String(Math.floor(now() / 1000));
  const secret = secretFile === null ? null : secretIn(secretFile);
  const headers = {
    "content-type": "application/json",
    "user-agent": `tmpm/${version}`,
    "webhook-id": notice.id,
    "webhook-timestamp": at,
    ...(secret === null ? {} : { "webhook-signature": signature(`${notice.id}.${at}.${body}`, secret) }),
  };
  const deadline = linkedSignal(signal, AbortSignal.timeout(timeoutMs));
  try {
    const response = await fetch(url, { method: "POST", body, headers, redirect: "manual", signal: deadline.signal });
    await response.body?.cancel();
    return verdict(response);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const why = error.name === "TimeoutError" ? `no answer within ${timeoutMs / 1000} s` : causeOf(error);
    return { kind: "later", why, afterMs: 0 };
  } finally {
    deadline.release();
  }
}

function verdict({ status, headers }: Response): Tried {
  if (status >= 200 && status < 300) return { kind: "done" };
  if (status >= 300 && status < 400) return { kind: "refused", why: `it responded with ${status}, a redirect, which is not followed` };
  if (status < 500 && status !== 408 && status !== 429) return { kind: "refused", why: `it responded with ${status}` };
  return {
    kind: "later",
    why: `it responded with ${status}`,
    afterMs: 1000 * Number(/^\d{1,6}$/.exec(headers.get("retry-after") ?? "")?.[0] ?? 0),
  };
}

/** @throws NOTIFY_FAILED */
function secretIn(path: string): Buffer {
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new TmpmError("NOTIFY_FAILED", `the secret ${path} is open to other users`, { hint: `Restrict it: chmod 600 ${path}` });
    const text = readFileSync(path, "utf8").trim();
    if (text === "") throw new TmpmError("NOTIFY_FAILED", `the secret ${path} is empty`);
    return text.startsWith("whsec_") ? Buffer.from(text.slice("whsec_".length), "base64") : Buffer.from(text);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new TmpmError("NOTIFY_FAILED", `the secret ${path} cannot be read: ${error.message}`, { cause: error });
  }
}

function signature(content: string, secret: Buffer): string {
  return `v1,${createHmac("sha256", secret).update(content).digest("base64")}`;
}

/** The message of fetch is always the same; its cause is more specific. Neither contains the secret part of the address. */
function causeOf({ message, cause }: Error): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : message;
}

function failed(why: string, attempts: number): TmpmError {
  return new TmpmError("NOTIFY_FAILED", `the webhook was not notified: ${why}${attempts > 1 ? ` (${attempts} attempts)` : ""}`, {
    effect: "unknown",
  });
}
