/** An API's response once a usage limit of its user is reached. */
export interface Refusal {
  readonly status: 429;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Limit {
  /** Seconds until the limit resets; null for an exhausted quota that never resets automatically. */
  readonly resetS: number | null;
}

export interface Limited extends Limit {
  /** The protocol's name, as in `Protocol`. */
  readonly protocol: string;
  readonly model: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

const USED_UP = "You exceeded your current quota, please check your plan and billing details.";

/** Each API with its own texts and headers, as documented by its provider. */
export function limitAnswer(limited: Limited): Refusal {
  switch (limited.protocol) {
    case "anthropic":
      return anthropic(limited);
    case "responses":
      return responses(limited);
    case "gemini":
      return gemini(limited);
    default:
      return chat(limited);
  }
}

function anthropic({ resetS, nowMs }: Limited): Refusal {
  const body = (message: string) => ({ type: "error", error: { type: "rate_limit_error", message } });
  if (resetS === null) return refusal(body("You have reached your specified API usage limits."));
  const reset = String(resetAt(nowMs, resetS));
  return refusal(body("This request would exceed your account's rate limit."), {
    "retry-after": String(resetS),
    "x-should-retry": "false",
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": reset,
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
    "anthropic-ratelimit-unified-5h-status": "rejected",
    "anthropic-ratelimit-unified-5h-reset": reset,
    "anthropic-ratelimit-unified-5h-utilization": "1.0",
  });
}

function responses({ resetS, nowMs }: Limited): Refusal {
  if (resetS === null) return refusal({ error: { type: "insufficient_quota", code: "insufficient_quota", message: USED_UP, param: null } });
  const resets_at = resetAt(nowMs, resetS);
  return refusal(
    {
      error: {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_at,
        resets_in_seconds: resetS,
      },
    },
    {
      "x-codex-primary-used-percent": "100",
      "x-codex-primary-window-minutes": "300",
      "x-codex-primary-reset-at": String(resets_at),
    },
  );
}

function gemini({ resetS, model }: Limited): Refusal {
  const violation = {
    quotaMetric: "generativelanguage.googleapis.com/generate_content_paid_tier_requests",
    quotaId: "GenerateRequestsPerDayPerProjectPerModel",
    quotaDimensions: { model, location: "global" },
    quotaValue: "250",
  };
  const details = [
    { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [violation] },
    ...(resetS === null ? [] : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${resetS}s` }]),
  ];
  const message = resetS === null ? USED_UP : `${USED_UP} Please retry in ${resetS}s.`;
  return refusal({ error: { code: 429, message, status: "RESOURCE_EXHAUSTED", details } });
}

function chat({ resetS, model }: Limited): Refusal {
  if (resetS === null) return refusal({ error: { message: USED_UP, type: "insufficient_quota", param: null, code: "insufficient_quota" } });
  const message = `Rate limit reached for ${model}. Please try again in ${resetS}s.`;
  const body = { error: { message, type: "rate_limit_exceeded", param: null, code: "rate_limit_exceeded" } };
  return refusal(body, { "retry-after": String(resetS) });
}

function refusal(body: unknown, headers: Refusal["headers"] = {}): Refusal {
  return { status: 429, body, headers };
}

function resetAt(nowMs: number, resetS: number): number {
  return Math.floor(nowMs / 1000) + resetS;
}
