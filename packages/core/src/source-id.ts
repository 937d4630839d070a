/** `owner/repo` of a repository's address, as trusty-mpm's `source_id` has it; null for one that has no such two parts, such as a path. */
export function sourceIdOf(url: string | null): string | null {
  if (url === null) return null;
  const path = /^(?:[a-z+]+:\/\/[^/]+\/|[^/:]+@[^/:]+:)(.+)$/i.exec(url)?.[1] ?? null;
  const found = path === null ? null : /^\/?([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(path);
  return found?.[1] ?? null;
}
