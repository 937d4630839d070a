import { computed, signal } from "@preact/signals";

const VIEWS = ["reading", "terminal", "changes"] as const;
export type SessionView = (typeof VIEWS)[number];

/** The page's view. It is in the address's fragment, so it needs no server path. */
export type Route =
  | { readonly page: "list" }
  | { readonly page: "session"; readonly id: string; readonly view: SessionView | null }
  | { readonly page: "inbox" }
  | { readonly page: "new" }
  | { readonly page: "grid" }
  | { readonly page: "archived" }
  | { readonly page: "usage" }
  | { readonly page: "settings" };

const PAGES = ["inbox", "new", "grid", "archived", "usage", "settings"] as const;

export function readRoute(hash: string): Route {
  const [first = "", second = "", third = ""] = hash.replace(/^#\/?/, "").split("/");
  const page = PAGES.find((name) => name === first);
  if (page !== undefined) return { page };
  if (first !== "s" || second === "") return { page: "list" };
  return { page: "session", id: second, view: VIEWS.find((name) => name === third) ?? null };
}

export function hashOf(route: Route): string {
  if (route.page === "list") return "#/";
  if (route.page !== "session") return `#/${route.page}`;
  return route.view === null ? `#/s/${route.id}` : `#/s/${route.id}/${route.view}`;
}

/** The view that fits where none is chosen: text under a finger and without a terminal, otherwise a terminal. */
export function shownView(
  view: SessionView | null,
  { isPhone, terminal }: { readonly isPhone: boolean; readonly terminal: boolean },
): SessionView {
  const wanted = view ?? (isPhone ? "reading" : "terminal");
  return wanted === "terminal" && !terminal ? "reading" : wanted;
}

export function sessionHash(id: string): string {
  return hashOf({ page: "session", id, view: null });
}

const hash = signal(typeof location === "undefined" ? "" : location.hash);
export const route = computed(() => readRoute(hash.value));

export function startRouting(): void {
  addEventListener("hashchange", () => {
    hash.value = location.hash;
  });
}

export function go(to: Route): void {
  location.hash = hashOf(to);
}
