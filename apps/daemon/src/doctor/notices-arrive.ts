import type { Finding } from "@tmpm/api/local";
import type { ChannelState } from "../notify/outbox.js";

/** Each configured notification channel, and why its last notice did not arrive. */
export function noticesArrive(states: readonly ChannelState[]): readonly Finding[] {
  return states.flatMap(({ channel, target, sent, failed, dropped, failure }): readonly Finding[] => {
    if (target === null) return [];
    const name = `notify ${channel}`;
    if (failure !== null)
      return [{ name, status: "warn", message: failure.message, hint: failure.hint ?? "Try it with `tmpm notify test`." }];
    const lost = failed + dropped === 0 ? "" : `, ${failed + dropped} not`;
    return [{ name, status: "ok", message: `${target}: ${sent} sent${lost}`, hint: null }];
  });
}
