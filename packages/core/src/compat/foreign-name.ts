import { DEFAULT_PROJECT, SLUG_PATTERN } from "../id/slug.js";
import { nameFromDir, nameFromTmuxName } from "../session/names.js";
import { UNKNOWN_DIRECTORY } from "../workspace/unknown-directory.js";

/** The session name for a foreign terminal name: the name itself if it is valid here, else the slug that it would give a folder. */
export function nameFromForeign(tmuxName: string): string {
  const name = nameFromTmuxName(tmuxName);
  return SLUG_PATTERN.test(name) ? name : nameFromTmuxName(nameFromDir(tmuxName));
}

/** Their project id if it is valid here; else with every other character replaced by `-` and cut to 63; `default` when empty. */
export function projectFromForeign(projectId: string): string {
  if (SLUG_PATTERN.test(projectId)) return projectId;
  const slug = projectId.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[-_]+/, "");
  return slug.slice(0, 63).replace(/-+$/, "") || DEFAULT_PROJECT;
}

/** An absolute path unchanged; anything else is not a directory here. */
export function directoryFromForeign(path: string | null): string {
  return path?.startsWith("/") ? path : UNKNOWN_DIRECTORY;
}
