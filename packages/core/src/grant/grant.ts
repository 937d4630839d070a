import * as z from "zod";
import { SessionId } from "../id/ids.js";
import { keepUnknown } from "../keep-unknown.js";
import { Timestamp } from "../time/timestamp.js";
import { GRANT_LIMITS, type GrantLimit, REACHES } from "./grant-limits.js";

export const Reach = z.enum(REACHES);
export type Reach = z.infer<typeof Reach>;

const limit = (name: GrantLimit) => z.number().int().min(1).max(GRANT_LIMITS[name].most).default(GRANT_LIMITS[name].usual);

const GRANT = {
  reach: Reach,
  depth: limit("depth"),
  children: limit("children"),
  lineage: limit("lineage"),
  sends_per_hour: limit("sends_per_hour"),
  /** Stops the session's children with it. */
  stop_children: z.boolean().default(true),
};

/** A session's rights with its own token besides reporting: to start sessions, prompt them, and stop those that it started. */
export const Grant = keepUnknown(GRANT);
export type Grant = z.infer<typeof Grant>;

/** A requested grant; `none` revokes it. */
export const GrantWish = z.strictObject({ ...GRANT, reach: z.enum(["none", ...REACHES]) });
export type GrantWish = z.infer<typeof GrantWish>;

/** Origin of a session started by another one; its parent is the record's `spawned_by`. */
export const Lineage = keepUnknown({
  root: SessionId,
  /** 1 for a child of the root. */
  depth: z.number().int().positive(),
  /** The sessions whose work led to it, the root first; the last one sent its first prompt. */
  path: z.array(SessionId),
  /** Launch of its parent whose end was applied to it: that end does not stop it again. */
  ended_with: Timestamp.optional(),
});
export type Lineage = z.infer<typeof Lineage>;

/** The session that sent a text, and the sessions whose work led to it; the first of them was the last that a user prompted. */
export const SendCause = z.object({ parent: SessionId, root: SessionId, hop: z.number().int().positive(), path: z.array(SessionId) });
export type SendCause = z.infer<typeof SendCause>;

/** A requested grant as a grant; null for `none`. */
export function grantOf({ reach, ...limits }: GrantWish): Grant | null {
  return reach === "none" ? null : { reach, ...limits };
}

/** The fields of `given` that exceed `held`; empty for a grant that a holder may pass on. A child's grant is one generation shorter. */
export function grantBeyond(given: Grant, held: Grant): readonly string[] {
  const limits = (Object.keys(GRANT_LIMITS) as GrantLimit[]).filter((name) => {
    const most = name === "depth" ? held.depth - 1 : held[name];
    return given[name] > most;
  });
  return [
    ...(REACHES.indexOf(given.reach) > REACHES.indexOf(held.reach) ? ["reach"] : []),
    ...limits,
    // Children that outlive their parent are a right too.
    ...(held.stop_children && !given.stop_children ? ["stop_children"] : []),
  ];
}

/** The part of a grant that a holder some generations above may have passed on; null for none. */
export function narrowedGrant(grant: Grant, { held, generations }: { readonly held: Grant; readonly generations: number }): Grant | null {
  const depth = Math.min(grant.depth, held.depth - generations);
  if (depth < 1) return null;
  return {
    ...grant,
    reach: REACHES[Math.min(REACHES.indexOf(grant.reach), REACHES.indexOf(held.reach))] ?? "tree",
    depth,
    children: Math.min(grant.children, held.children),
    lineage: Math.min(grant.lineage, held.lineage),
    sends_per_hour: Math.min(grant.sends_per_hour, held.sends_per_hour),
    stop_children: grant.stop_children || held.stop_children,
  };
}
