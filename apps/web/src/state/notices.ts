import { signal } from "@preact/signals";

export interface NoticeAction {
  readonly title: string;
  readonly run: () => void;
}

/** A sentence at the foot of the page, and perhaps what can be done about it. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "error";
  readonly actions: readonly NoticeAction[];
}

export const notices = signal<readonly Notice[]>([]);

/** How many are shown at once; the oldest gives way. */
const MOST = 3;
const PLAIN_MS = 12_000;
let last = 0;

/** What failed stays until it is dismissed; everything else for a while. */
export function say(text: string, { tone = "plain", actions = [] }: Partial<Pick<Notice, "tone" | "actions">> = {}): void {
  const id = ++last;
  notices.value = [...notices.value, { id, text, tone, actions }].slice(-MOST);
  if (tone === "plain") setTimeout(() => dismiss(id), PLAIN_MS);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
