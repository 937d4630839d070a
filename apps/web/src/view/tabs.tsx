import { hashOf, type Route, route } from "../state/route.js";

const TABS: readonly { readonly to: Route; readonly title: string }[] = [{ to: { page: "list" }, title: "Sessions" }];

/** On a phone, at the thumb. */
export function Tabs() {
  if (route.value.page === "session") return null;
  return (
    <nav class="tabs" aria-label="Pages">
      {TABS.map(({ to, title }) => (
        <a key={title} href={hashOf(to)} aria-current={route.value.page === to.page ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
