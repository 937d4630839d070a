import { groups } from "./filter.js";
import { isPhone, toggleList } from "./layout.js";
import { mayChange } from "./me.js";
import { openDialog } from "./palette.js";
import { go, readRoute, route, sessionHash } from "./route.js";
import { focusOn, toggleView, toggleWhy, toView } from "./session-actions.js";

export interface Key {
  readonly keys: string;
  readonly does: string;
}

/** The help of `?`. */
export const KEYS: readonly Key[] = [
  { keys: "Ctrl K", does: "go to a session or page, or run an action, by name" },
  { keys: "Ctrl .", does: "the same from inside a terminal; the only chord not passed to it" },
  { keys: "j  k", does: "next and previous session; also the arrow keys" },
  { keys: "Enter", does: "open the session" },
  { keys: "/", does: "filter; Enter then searches all screens" },
  { keys: "c", does: "write a prompt" },
  { keys: "t", does: "terminal or text" },
  { keys: "d", does: "the session's changes" },
  { keys: "w", does: "the evidence for its state" },
  { keys: "b", does: "the list next to the session, or the session alone" },
  { keys: "i", does: "inbox" },
  { keys: "n", does: "new session" },
  { keys: "g", does: "grid of terminals" },
  { keys: "u", does: "token usage" },
  { keys: "Escape", does: "leave the field; return to the list" },
  { keys: "?", does: "these keys" },
];

/** A key's meaning outside text fields. */
const SINGLE: Readonly<Record<string, () => void>> = {
  j: () => step(1),
  ArrowDown: () => step(1),
  k: () => step(-1),
  ArrowUp: () => step(-1),
  "/": () => focusOn("filter"),
  c: () => focusOn("composer"),
  t: toggleView,
  d: () => toView("changes"),
  w: toggleWhy,
  b: toggleList,
  i: () => go({ page: "inbox" }),
  n: () => {
    if (mayChange.value) go({ page: "new" });
  },
  g: () => go({ page: "grid" }),
  u: () => go({ page: "usage" }),
  "?": () => {
    openDialog.value = "help";
  },
  Escape: () => go({ page: "list" }),
};

export function startKeys(): void {
  addEventListener("keydown", (event) => {
    if (openDialog.value !== null || event.isComposing || event.altKey) return;
    const { key, target } = event;
    const inTerminal = target instanceof Element && target.closest(".xterm") !== null;
    const chord = (event.ctrlKey || event.metaKey) && (key === "." || (key.toLowerCase() === "k" && !inTerminal));
    if (chord) {
      event.preventDefault();
      openDialog.value = "palette";
      return;
    }
    if (event.ctrlKey || event.metaKey || inTerminal) return;
    if (ARROWS.has(key) && scrolls(target)) return;
    if (isWriting(target)) {
      if (key === "Escape" && target instanceof HTMLElement) target.blur();
      return;
    }
    const act = SINGLE[key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

const ARROWS: ReadonlySet<string> = new Set(["ArrowDown", "ArrowUp"]);

/** Whether the arrows scroll what has the focus, or move in it. */
function scrolls(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".reading, .changes, .menu, .beside-look, .requests") !== null;
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Moves along the list in its order, of which only a part may be rendered. */
function step(by: number): void {
  const ids = groups.value.flatMap(({ sessions }) => sessions.map(({ id }) => id));
  const at = ids.indexOf(focusedSession() ?? (route.value.page === "session" ? route.value.id : ""));
  const next = ids[Math.max(0, Math.min(at + by, ids.length - 1))];
  if (next === undefined) return;
  const row = document.querySelector<HTMLElement>(`.row[href="${sessionHash(next)}"]`);
  row?.focus();
  row?.scrollIntoView({ block: "nearest" });
  if (route.value.page === "session" && !isPhone.value) go({ page: "session", id: next, view: null });
}

function focusedSession(): string | null {
  const hash = document.activeElement?.closest(".row")?.getAttribute("href") ?? "";
  const focused = readRoute(hash);
  return focused.page === "session" ? focused.id : null;
}
