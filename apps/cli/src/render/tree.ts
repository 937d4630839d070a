import type { SessionAnswer } from "@tmpm/api";
import { keyOf } from "./key-of.js";
import { byNeed } from "./standing.js";

/** A session, and its depth among the listed ones. */
export interface Branch<S extends SessionAnswer = SessionAnswer> {
  readonly session: S;
  readonly depth: number;
}

/** Sessions below those that started them, each group at the position of its most urgent member. */
export function asTree<S extends SessionAnswer>(sessions: readonly S[]): readonly Branch<S>[] {
  const listed = new Set(sessions.map((session) => keyOf(session)));
  const children = new Map<string | null, S[]>();
  for (const session of sessions) {
    const parent = parentOf(session, listed);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [session]);
    else siblings.push(session);
  }
  const placed = new Set<string>();
  const families = (parent: string | null, depth: number): readonly (readonly Branch<S>[])[] =>
    (children.get(parent) ?? [])
      .flatMap((session) => {
        const key = keyOf(session);
        if (placed.has(key)) return [];
        placed.add(key);
        return [[{ session, depth }, ...families(key, depth + 1).flat()]];
      })
      .sort((a, b) => byNeed(neediest(a), neediest(b)));
  const whole = families(null, 0).flat();
  // Records that name each other as parents do not have a root.
  return [...whole, ...sessions.filter((session) => !placed.has(keyOf(session))).map((session) => ({ session, depth: 0 }))];
}

function parentOf(session: SessionAnswer, listed: ReadonlySet<string>): string | null {
  const { lineage, spawned_by } = session;
  if (lineage === null || spawned_by === null) return null;
  const parent = keyOf({ node: session.node, id: spawned_by });
  return listed.has(parent) ? parent : null;
}

function neediest(family: readonly Branch[]): SessionAnswer {
  const [first] = family.map(({ session }) => session).sort(byNeed);
  if (first === undefined) throw new TypeError("a group has at least one member");
  return first;
}

/** The prefix of a nested session's name. */
export function indent(depth: number): string {
  return depth === 0 ? "" : `${"  ".repeat(depth - 1)}\`-`;
}
