import { signal } from "@preact/signals";
import { isTmpmError } from "@tmpm/core/errors";
import { tmpm } from "../daemon/tmpm.js";
import { isLive } from "../words/session-words.js";
import { oneLine } from "../words/shown.js";
import { say } from "./notices.js";
import { sessions } from "./sessions.js";

export interface FoundOnScreens {
  readonly text: string;
  /** The first matching line, by session. */
  readonly lines: ReadonlyMap<string, string>;
}

/** Search results on screens; null without a search. */
export const foundOnScreens = signal<FoundOnScreens | null>(null);

/** Maximum number of concurrent requests. */
const AT_ONCE = 6;

export interface SearchOptions {
  /** Whether this text is still the one that is searched. */
  readonly isStill: (text: string) => boolean;
  /** The last line of a session's screen that contains the text in lower case; undefined without one. */
  readonly lineWith?: (wanted: string, session: string) => Promise<string | undefined>;
}

/** Searches the screens of all running sessions. */
export async function searchScreens(text: string, { isStill, lineWith = onScreen }: SearchOptions): Promise<void> {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return;
  const waiting = [...sessions.value.values()].filter(isLive).map(({ id }) => id);
  const lines = new Map<string, string>();
  const next = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const line = await lineWith(wanted, id);
      if (line !== undefined) lines.set(id, oneLine(line));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  // The filter is another one by now.
  if (!isStill(text)) return;
  foundOnScreens.value = { text, lines };
  if (lines.size === 0) say(`No screen shows “${oneLine(text)}”.`);
}

async function onScreen(wanted: string, session: string): Promise<string | undefined> {
  try {
    const { lines } = await tmpm.capture({ session });
    return lines.findLast((line) => line.toLowerCase().includes(wanted));
  } catch (error) {
    if (isTmpmError(error)) return undefined;
    throw error;
  }
}
