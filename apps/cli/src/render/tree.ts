import type { SessionAnswer } from "@tmpm/api";
import { byNeed } from "./standing.js";

/** A session, and its depth among the listed ones. */
export interface Branch {
  readonly session: SessionAnswer;
  readonly depth: number;
}

/** Sessions below those that started them, each family at the position of its most urgent member. */
export function asTree(sessions: readonly SessionAnswer[]): readonly Branch[] {
  const listed = new Set(sessions.map(({ id }) => id));
  const children = new Map<string | null, SessionAnswer[]>();
  for (const session of sessions) {
    const parent = parentOf(session, listed);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [session]);
    else siblings.push(session);
  }
  const placed = new Set<string>();
  const families = (parent: string | null, depth: number): readonly (readonly Branch[])[] =>
    (children.get(parent) ?? [])
      .flatMap((session) => {
        if (placed.has(session.id)) return [];
        placed.add(session.id);
        return [[{ session, depth }, ...families(session.id, depth + 1).flat()]];
      })
      .sort((a, b) => byNeed(neediest(a), neediest(b)));
  const whole = families(null, 0).flat();
  // Records that name each other as parents have no root.
  return [...whole, ...sessions.filter(({ id }) => !placed.has(id)).map((session) => ({ session, depth: 0 }))];
}

function parentOf({ lineage, spawned_by }: SessionAnswer, listed: ReadonlySet<string>): string | null {
  return lineage !== null && spawned_by !== null && listed.has(spawned_by) ? spawned_by : null;
}

function neediest(family: readonly Branch[]): SessionAnswer {
  const [first] = family.map(({ session }) => session).sort(byNeed);
  if (first === undefined) throw new TypeError("a family has a member");
  return first;
}

/** The prefix of a nested session's name. */
export function indent(depth: number): string {
  return depth === 0 ? "" : `${"  ".repeat(depth - 1)}\`-`;
}
