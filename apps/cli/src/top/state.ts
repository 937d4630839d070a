import type { SessionAnswer } from "@tmpm/api";
import { byNeed } from "../render/standing.js";
import { asTree, type Branch } from "../render/tree.js";
import { inView, matchesFilter, type ViewName } from "./filter.js";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A session at the time of an action: it may have left the list by then. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** A session's screen, as last captured. */
export interface SeenScreen {
  readonly session: string;
  readonly lines: readonly string[];
  readonly cursorRow: number;
  /** False for the last lines of a session that has ended. */
  readonly live: boolean;
}

/** Sessions whose screens contain a text, each with the matching line. */
export interface Found {
  readonly query: string;
  readonly lines: ReadonlyMap<string, string>;
}

export type Mode =
  | { readonly kind: "list" }
  /** The page's first visible line. */
  | { readonly kind: "help"; readonly from: number }
  | { readonly kind: "send"; readonly to: Named }
  | { readonly kind: "filter"; readonly before: string }
  | { readonly kind: "search" }
  | { readonly kind: "stop"; readonly session: Named };

export interface Notice {
  readonly text: string;
  readonly tone: "plain" | "red";
}

export interface TopState {
  readonly size: Size;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** False while the daemon does not answer; the last known state is shown then. */
  readonly connected: boolean;
  readonly sessions: ReadonlyMap<string, SessionAnswer>;
  /** Number of unreadable records. */
  readonly problems: number;
  /** A session's id. */
  readonly selected: string | null;
  readonly view: ViewName;
  /** Each session below the one that started it. */
  readonly tree: boolean;
  readonly filter: string;
  readonly found: Found | null;
  readonly screen: SeenScreen | null;
  /** Number of lines that the screen is scrolled up. */
  readonly scrolled: number;
  readonly mode: Mode;
  readonly notice: Notice | null;
}

export function initialState(size: Size, now: number): TopState {
  return {
    size,
    now,
    connected: true,
    sessions: new Map(),
    problems: 0,
    selected: null,
    view: "all",
    tree: false,
    filter: "",
    found: null,
    screen: null,
    scrolled: 0,
    mode: { kind: "list" },
    notice: null,
  };
}

const listed = new WeakMap<TopState, readonly Branch[]>();

/** The listed sessions in order, each with its depth in the tree. */
export function listedBranches(state: TopState): readonly Branch[] {
  const known = listed.get(state);
  if (known !== undefined) return known;
  const { sessions, view, filter, found, tree } = state;
  const wanted = [...sessions.values()].filter(
    (session) => inView(view, session) && matchesFilter(filter, session) && (found === null || found.lines.has(session.id)),
  );
  const branches = tree ? asTree(wanted) : wanted.sort(byNeed).map((session) => ({ session, depth: 0 }));
  listed.set(state, branches);
  return branches;
}

const ordered = new WeakMap<readonly Branch[], readonly SessionAnswer[]>();

export function listedSessions(state: TopState): readonly SessionAnswer[] {
  const branches = listedBranches(state);
  const known = ordered.get(branches) ?? branches.map(({ session }) => session);
  ordered.set(branches, known);
  return known;
}

export function selectedSession({ sessions, selected }: TopState): SessionAnswer | null {
  return selected === null ? null : (sessions.get(selected) ?? null);
}
