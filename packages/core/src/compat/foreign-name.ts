import { nameFromDir, nameFromTmuxName } from "../names.js";
import { DEFAULT_PROJECT, SLUG_PATTERN } from "../slug.js";

/** Where a session's directory is not recorded (trusty-mpm writes the same). */
export const UNKNOWN_DIRECTORY = "/unknown";

/** A session's name for their name of its terminal: the name itself where it is one of ours, else the slug that it would give a folder. */
export function nameFromForeign(tmuxName: string): string {
  const name = nameFromTmuxName(tmuxName);
  return SLUG_PATTERN.test(name) ? name : nameFromTmuxName(nameFromDir(tmuxName));
}

/** Their project id where it is one of ours; else every other character becomes `-`, and what is left is cut to 63; `default` when nothing is. */
export function projectFromForeign(projectId: string): string {
  if (SLUG_PATTERN.test(projectId)) return projectId;
  const slug = projectId.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[-_]+/, "");
  return slug.slice(0, 63).replace(/-+$/, "") || DEFAULT_PROJECT;
}

/** An absolute path as it is; anything else names no directory here. */
export function directoryFromForeign(path: string | null): string {
  return path?.startsWith("/") ? path : UNKNOWN_DIRECTORY;
}
