import { BASE } from "./base.js";
import type { PageMessage, ShareFeedOptions } from "./share-feed.js";

/** Pages of another version, or of another daemon below the same origin, have a feed of their own. */
const NAME = `tmpm.feed ${__TMPM_VERSION__} ${BASE}`;

type PageChannel = Pick<ShareFeedOptions, "hold" | "post" | "listen">;

/** The other pages of this browser. A browser without these APIs, or an insecure address, has none: then each page is on its own. */
export function pageChannel(): PageChannel {
  return "locks" in navigator && "BroadcastChannel" in globalThis ? shared(navigator.locks, new BroadcastChannel(NAME)) : alone();
}

function shared(locks: LockManager, channel: BroadcastChannel): PageChannel {
  return {
    async hold(work, { steal, signal }) {
      const taken = new AbortController();
      try {
        await locks.request(NAME, steal ? { steal } : { signal }, () => work(taken.signal));
      } catch (error) {
        if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
      } finally {
        taken.abort();
      }
    },
    post: (message) => channel.postMessage(message),
    listen(take) {
      // Trusted: only pages of this origin and version send on it.
      const onMessage = ({ data }: MessageEvent<PageMessage>) => take(data);
      channel.addEventListener("message", onMessage);
      return () => channel.removeEventListener("message", onMessage);
    },
  };
}

function alone(): PageChannel {
  return { hold: (work) => work(new AbortController().signal), post: () => undefined, listen: () => () => undefined };
}
