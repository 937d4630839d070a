/** `owner/repo` of a repository's address, as in trusty-mpm's `source_id`; null for an address without them, such as a path. */
export function sourceIdOf(url: string | null): string | null {
  if (url === null) return null;
  const path = /^(?:[a-z+]+:\/\/[^/]+\/|[^/:]+@[^/:]+:)(.+)$/i.exec(url)?.[1] ?? null;
  const found = path === null ? null : /^\/?([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(path);
  return found?.[1] ?? null;
}
