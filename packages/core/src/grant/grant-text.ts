import { hasCode, TmpmError } from "../errors.js";
import type { Grant, GrantWish } from "./grant.js";
import { GRANT_LIMITS, type GrantLimit, REACHES } from "./grant-limits.js";

const WORDS: Readonly<Record<string, GrantLimit>> = {
  depth: "depth",
  children: "children",
  lineage: "lineage",
  sends: "sends_per_hour",
};

const KEEP = "keep-children";

const USUAL = {
  depth: GRANT_LIMITS.depth.usual,
  children: GRANT_LIMITS.children.usual,
  lineage: GRANT_LIMITS.lineage.usual,
  sends_per_hour: GRANT_LIMITS.sends_per_hour.usual,
};

/** Reads `none`, or a reach with limits: `tree,children=8,sends=60,keep-children`. @throws INVALID_ARGUMENT */
export function parseGrant(text: string): GrantWish {
  const [reach = "", ...rest] = text.split(",").map((word) => word.trim());
  const wished = (["none", ...REACHES] as const).find((known) => known === reach);
  if (wished === undefined) throw notAGrant(`begins with ${JSON.stringify(reach)}, which is not a reach`);
  const limits = rest.filter((word) => word !== KEEP).map(limitIn);
  return { reach: wished, ...USUAL, ...Object.fromEntries(limits), stop_children: !rest.includes(KEEP) };
}

/** Whether `parseGrant` reads it. */
export function isGrantText(text: string): boolean {
  try {
    parseGrant(text);
    return true;
  } catch (error) {
    if (hasCode(error, "INVALID_ARGUMENT")) return false;
    throw error;
  }
}

function limitIn(word: string): readonly [GrantLimit, number] {
  const [, name = "", digits = ""] = /^([a-z]+)=(\d{1,6})$/.exec(word) ?? [];
  const field = WORDS[name];
  if (field === undefined) throw notAGrant(`has ${JSON.stringify(word)}, which is not a limit`);
  const { most } = GRANT_LIMITS[field];
  if (Number(digits) < 1 || Number(digits) > most) throw notAGrant(`has ${word}; ${name} is 1 to ${most}`);
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
  return [grant.reach, ...limits, ...(grant.stop_children ? [] : [KEEP])].join(",");
}
