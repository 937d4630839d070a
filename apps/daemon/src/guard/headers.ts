import type { TmpmError } from "@tmpm/core";

/** Headers of every response (reliability C8), which forbid caching, framing, sniffing and disclosure to other pages. `Access-Control-*` is never sent. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** The same for the daemon's own pages, whose scripts and styles are separate files; `nonce` allows inline styles, null for none. */
export function pageHeaders(nonce: string | null): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    nonce === null ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ];
  return { ...ANSWER_HEADERS, "content-security-policy": policy.join("; ") };
}

export function errorHeaders({ code, details }: Pick<TmpmError, "code" | "details">): Readonly<Record<string, string>> {
  const { retry_after_s: seconds } = details;
  return {
    ...(code === "UNAUTHENTICATED" ? { "www-authenticate": "Bearer" } : {}),
    ...(typeof seconds === "number" ? { "retry-after": String(seconds) } : {}),
  };
}

/** Names an exchange in the audit log. */
export const REQUEST_ID_HEADER = "tmpm-request-id";
