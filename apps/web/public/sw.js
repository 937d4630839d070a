// The worker of the installed page. It caches nothing, because the page's data comes from the daemon. It shows push notifications, and brings the page to the
// front.

const here = self.registration.scope;

/** Kinds of events that the user is to hear of each time. */
const URGENT = new Set(["needs_you", "failed", "test"]);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// A browser offers to install a page only if its worker handles fetch events.
self.addEventListener("fetch", () => undefined);

self.addEventListener("push", (event) => event.waitUntil(show(read(event.data))));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** `{ kind, session_id, title }`; anything else is shown as a notification with a default text. */
function read(data) {
  try {
    const { kind, session_id: session, title } = data.json();
    return { kind: String(kind ?? ""), session: typeof session === "string" ? session : null, title: String(title ?? "tmpm") };
  } catch {
    return { kind: "", session: null, title: "tmpm: a session needs you" };
  }
}

/** One notification per session: a later one replaces the previous one. */
function show({ kind, session, title }) {
  return self.registration.showNotification(title, {
    tag: session ?? "tmpm",
    // Otherwise a replacement makes no sound, also where the one before was about something else.
    renotify: URGENT.has(kind),
    icon: new URL("icon-192.png", here).href,
    requireInteraction: kind === "needs_you",
    data: session,
  });
}

/** Brings an open page to the front, or opens one. */
async function open(session) {
  const url = new URL(session === null ? "#/inbox" : `#/s/${encodeURIComponent(session)}`, here).href;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // The scope may contain other pages, such as the API's documentation.
  const page = pages.find((each) => new URL(each.url).pathname === new URL(here).pathname);
  if (page === undefined) return self.clients.openWindow(url);
  page.postMessage({ open: session });
  return page.focus();
}
