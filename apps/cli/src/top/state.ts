import type { FleetSession } from "@tmpm/api";
import { keyOf } from "../render/key-of.js";
import { sortedByNeed } from "../render/standing.js";
import { asTree, type Branch } from "../render/tree.js";
import type { ChangesMode, HunksMode } from "./diff-mode.js";
import { inView, matchesFilter, type ViewName } from "./filter.js";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A session at the time of an action: it may have left the list by then. */
export interface Named {
  readonly id: string;
  /** Its address from this machine. */
  readonly name: string;
  /** Null for this machine. */
  readonly node: string | null;
}

/** A node that does not answer. */
export interface Silence {
  readonly reason: string;
  /** The time of its last response, as an RFC 3339 time; null if there was none. */
  readonly asOf: string | null;
}

/** A session's screen, as last captured. */
export interface SeenScreen {
  /** The key of its session. */
  readonly session: string;
  readonly lines: readonly string[];
  readonly cursorRow: number;
  /** False for the last lines of a session that has ended. */
  readonly live: boolean;
}

/** Sessions whose screens contain a text: the matching line of each, by its key. */
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
  | { readonly kind: "stop"; readonly session: Named }
  | ChangesMode
  | HunksMode;

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
  /** By key; each is named by its address from this machine. */
  readonly sessions: ReadonlyMap<string, FleetSession>;
  /** Number of unreadable records of each machine; null for this one. */
  readonly problems: ReadonlyMap<string | null, number>;
  /** The nodes that do not answer. */
  readonly silent: ReadonlyMap<string, Silence>;
  /** A session's key. */
  readonly selected: string | null;
  readonly view: ViewName;
  /** Each session below the one that started it. */
  readonly tree: boolean;
  /** The sessions grouped by machine. */
  readonly byNode: boolean;
  readonly filter: string;
  readonly found: Found | null;
  readonly screen: SeenScreen | null;
  /** Number of lines by which the screen is scrolled up. */
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
    problems: new Map(),
    silent: new Map(),
    selected: null,
    view: "all",
    tree: false,
    byNode: false,
    filter: "",
    found: null,
    screen: null,
    scrolled: 0,
    mode: { kind: "list" },
    notice: null,
  };
}

type Listed = Branch<FleetSession>;

/** The parts of the state that determine the list. */
type Of = Pick<TopState, "sessions" | "view" | "filter" | "found" | "tree" | "byNode">;

/** Most messages do not change the list: it is rebuilt when one of its parts has changed. */
let last: { readonly of: Of; readonly shown: readonly Listed[] } | null = null;

/** The listed sessions in order, each with its depth in the tree. */
export function listedBranches(state: TopState): readonly Listed[] {
  if (last !== null && isSame(last.of, state)) return last.shown;
  const shown = branchesOf(state);
  last = { of: state, shown };
  return shown;
}

function isSame(one: Of, other: Of): boolean {
  return (["sessions", "view", "filter", "found", "tree", "byNode"] as const).every((part) => one[part] === other[part]);
}

function branchesOf({ sessions, view, filter, found, tree, byNode }: Of): readonly Listed[] {
  const wanted = [...sessions.values()].filter(
    (session) => inView(view, session) && matchesFilter(filter, session) && (found === null || found.lines.has(keyOf(session))),
  );
  const branches = tree ? asTree(wanted) : sortedByNeed(wanted).map((session) => ({ session, depth: 0 }));
  return byNode ? branches.toSorted((one, other) => nodeOf(one).localeCompare(nodeOf(other))) : branches;
}

/** This machine's sessions come first. */
function nodeOf({ session }: Listed): string {
  return session.node ?? "";
}

const ordered = new WeakMap<readonly Listed[], readonly FleetSession[]>();

export function listedSessions(state: TopState): readonly FleetSession[] {
  const branches = listedBranches(state);
  const known = ordered.get(branches) ?? branches.map(({ session }) => session);
  ordered.set(branches, known);
  return known;
}

export function selectedSession({ sessions, selected }: TopState): FleetSession | null {
  return selected === null ? null : (sessions.get(selected) ?? null);
}
