import { signal } from "@preact/signals";
import type { SessionAnswer } from "@tmpm/api";
import { isLive } from "../words/session-words.js";
import { mayChange } from "./me.js";
import { go, type Route, route } from "./route.js";
import { focusOn, toggleWhy, toView } from "./session-actions.js";
import { sessions, sorted } from "./sessions.js";
import { perform, verbsOf } from "./verbs.js";

export interface Choice {
  readonly key: string;
  readonly title: string;
  readonly more: string;
  readonly run: () => void;
}

export const openDialog = signal<"palette" | "help" | null>(null);

const PAGES: readonly { readonly title: string; readonly to: Route; readonly changes?: true }[] = [
  { title: "Sessions", to: { page: "list" } },
  { title: "Inbox", to: { page: "inbox" } },
  { title: "New session", to: { page: "new" }, changes: true },
  { title: "Grid of terminals", to: { page: "grid" } },
  { title: "Archived sessions", to: { page: "archived" } },
  { title: "Token usage", to: { page: "usage" } },
  { title: "Settings", to: { page: "settings" } },
];

/** All entries selectable by name: actions on the open session, sessions, pages. */
export function choices(): readonly Choice[] {
  const here = route.value.page === "session" ? (sessions.value.get(route.value.id) ?? null) : null;
  return [
    ...(here === null ? [] : viewChoices(here)),
    ...(here === null || !mayChange.value ? [] : verbChoices(here)),
    ...sorted.value.map(({ id, name, agent, cwd }) => ({
      key: id,
      title: name,
      more: `${agent} · ${cwd}`,
      run: () => go({ page: "session", id, view: null }),
    })),
    ...PAGES.filter(({ changes }) => changes !== true || mayChange.value).map(({ title, to }) => ({
      key: `page:${title}`,
      title,
      more: "Page",
      run: () => go(to),
    })),
    { key: "help", title: "Keys", more: "All keys of this page", run: () => (openDialog.value = "help") },
  ];
}

/** What single keys do outside a terminal, which gets all keys itself. */
function viewChoices(session: SessionAnswer): readonly Choice[] {
  const { name } = session;
  const writes = mayChange.value && isLive(session);
  return [
    ...(writes ? [{ key: "write", title: "Write a prompt", more: `For ${name}`, run: () => focusOn("composer") }] : []),
    { key: "reading", title: "Reading", more: `The screen of ${name} as text`, run: () => toView("reading") },
    { key: "changes", title: "Changes", more: `What ${name} changed`, run: () => toView("changes") },
    { key: "why", title: "Why", more: `The evidence for the state of ${name}`, run: toggleWhy },
  ];
}

function verbChoices(session: SessionAnswer): readonly Choice[] {
  return verbsOf(session).map(({ name, title, more }) => ({
    key: `verb:${name}`,
    title: `${title} ${session.name}`,
    more,
    run: () => void perform(name, session),
  }));
}

/** Entries that contain all words; those beginning with the text come first. */
export function found(all: readonly Choice[], text: string): readonly Choice[] {
  const wanted = text.toLowerCase().trim();
  const words = wanted.split(/\s+/);
  const fitting = all.filter(({ title, more }) => {
    const whole = `${title} ${more}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  const rank = ({ title }: Choice) => (title.toLowerCase().startsWith(wanted) ? 0 : title.toLowerCase().includes(wanted) ? 1 : 2);
  return fitting.toSorted((a, b) => rank(a) - rank(b)).slice(0, 12);
}
