import type { Notice } from "./notice.js";

export const CHANNELS = ["command", "desktop", "webhook"] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** One notification channel. */
export interface Channel {
  readonly name: ChannelName;
  /** Its current target in a few words without secrets; null when not configured. */
  target(): string | null;
  /** @throws TmpmError or any error: the notice was not delivered */
  send(notice: Notice, options: { readonly signal: AbortSignal }): Promise<void>;
}
