/** A path as people write it: with `~` for the home folder. */
export function shortPath(path: string, userHome: string | null): string {
  if (userHome === null || userHome === "/") return path;
  if (path === userHome) return "~";
  return path.startsWith(`${userHome}/`) ? `~${path.slice(userHome.length)}` : path;
}
