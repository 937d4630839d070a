import * as z from "zod";
import { TmpmError } from "./errors.js";
import { SessionId } from "./ids.js";
import { keepUnknown } from "./keep-unknown.js";

/** The sessions that a session may act on, from fewest to most: its descendants, its project, all. */
export const REACHES = ["tree", "project", "all"] as const;
export const Reach = z.enum(REACHES);
export type Reach = z.infer<typeof Reach>;

/** The limits of a grant, with their defaults. */
export const GRANT_LIMITS = {
  /** Generations below the holder: 1 allows children that start none. */
  depth: { most: 8, usual: 1 },
  /** Maximum number of children running at once. */
  children: { most: 64, usual: 4 },
  /** Maximum number of sessions ever started in the lineage. */
  lineage: { most: 256, usual: 16 },
  sends_per_hour: { most: 3600, usual: 30 },
} as const;
export type GrantLimit = keyof typeof GRANT_LIMITS;

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
  return REACHES.indexOf(given.reach) > REACHES.indexOf(held.reach) ? ["reach", ...limits] : limits;
}

const WORDS: Readonly<Record<string, GrantLimit>> = {
  depth: "depth",
  children: "children",
  lineage: "lineage",
  sends: "sends_per_hour",
};

/** Reads `none`, or a reach with limits: `tree,children=8,sends=60,keep-children`. @throws INVALID_ARGUMENT */
export function parseGrant(text: string): GrantWish {
  const [reach = "", ...rest] = text.split(",").map((word) => word.trim());
  const fields = rest.map((word) => (word === "keep-children" ? (["stop_children", false] as const) : limitIn(word)));
  const parsed = GrantWish.safeParse({ reach, ...Object.fromEntries(fields) });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw notAGrant(issue === undefined ? "is malformed" : `${issue.path.join(".")}: ${issue.message}`);
}

function limitIn(word: string): readonly [string, number] {
  const [, name = "", digits = ""] = /^([a-z]+)=(\d{1,6})$/.exec(word) ?? [];
  const field = WORDS[name];
  if (field === undefined) throw notAGrant(`${JSON.stringify(word)} is not a limit`);
  return [field, Number(digits)];
}

function notAGrant(why: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `the grant ${why}`, {
    hint: "Use none, tree, project or all, with limits as in `tree,depth=2,children=8,lineage=32,sends=60,keep-children`.",
    details: { field: "grant" },
  });
}

/** The text that `parseGrant` reads; default limits are omitted. */
export function grantText(grant: Grant | null): string {
  if (grant === null) return "none";
  const limits = Object.entries(WORDS).flatMap(([word, name]) => {
    return grant[name] === GRANT_LIMITS[name].usual ? [] : [`${word}=${grant[name]}`];
  });
  return [grant.reach, ...limits, ...(grant.stop_children ? [] : ["keep-children"])].join(",");
}
