import { signal } from "@preact/signals";

export interface NoticeAction {
  readonly title: string;
  readonly run: () => void;
}

/** A notice at the foot of the page, optionally with an action. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "error";
  readonly actions: readonly NoticeAction[];
}

export const notices = signal<readonly Notice[]>([]);

/** Maximum number shown at once; the oldest is dropped. */
const MOST = 3;
const PLAIN_MS = 12_000;
let last = 0;

/** Failures stay until dismissed; others disappear after a while. */
export function say(text: string, { tone = "plain", actions = [] }: Partial<Pick<Notice, "tone" | "actions">> = {}): void {
  const id = ++last;
  notices.value = [...notices.value, { id, text, tone, actions }].slice(-MOST);
  if (tone === "plain") setTimeout(() => dismiss(id), PLAIN_MS);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
