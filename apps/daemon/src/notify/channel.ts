import type { Notice } from "./notice.js";

export const CHANNELS = ["command", "desktop", "webhook"] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** One way to tell people. */
export interface Channel {
  readonly name: ChannelName;
  /** What it would do with a notice now, in a few words without secrets; null when it is not wanted. */
  target(): string | null;
  /** @throws TmpmError or any error: it was not told */
  send(notice: Notice, options: { readonly signal: AbortSignal }): Promise<void>;
}
