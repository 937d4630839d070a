import { mayChange } from "../state/me.js";
import { hashOf, type Route, route } from "../state/route.js";
import { requests } from "../state/sessions.js";

const TABS: readonly { readonly to: Route; readonly title: string; readonly changes?: true }[] = [
  { to: { page: "list" }, title: "Sessions" },
  { to: { page: "inbox" }, title: "Inbox" },
  { to: { page: "new" }, title: "New", changes: true },
  { to: { page: "settings" }, title: "Settings" },
];

/** On a phone, at the bottom. */
export function Tabs() {
  if (route.value.page === "session") return null;
  return (
    <nav class="tabs" aria-label="Pages">
      {TABS.filter(({ changes }) => changes !== true || mayChange.value).map(({ to, title }) => (
        <a key={title} href={hashOf(to)} aria-current={route.value.page === to.page ? "page" : undefined}>
          <span>
            {title} {to.page === "inbox" && requests.value.length > 0 && <span class="badge">{requests.value.length}</span>}
          </span>
        </a>
      ))}
    </nav>
  );
}
