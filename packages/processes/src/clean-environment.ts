const NAMES = new Set("HOME PATH SHELL USER LOGNAME LANG LANGUAGE TERM TZ TMPDIR TMUX_TMPDIR".split(" "));
const PREFIXES = ["LC_", "XDG_"];

export type EnvironmentSource = Readonly<Record<string, string | undefined>>;

/**
 * The environment of processes that outlive us: a fixed list of names, so that none of our secrets gets there (a tmux server passes on its
 * environment during its whole life). Without a locale, UTF-8.
 */
export function cleanEnvironment(source: EnvironmentSource, platform: NodeJS.Platform = process.platform): Record<string, string> {
  const kept = Object.entries(source).filter((entry): entry is [string, string] => entry[1] !== undefined && isAllowed(entry[0]));
  const environment = { PATH: "/usr/local/bin:/usr/bin:/bin", ...Object.fromEntries(kept) };
  const hasLocale = ["LC_ALL", "LC_CTYPE", "LANG"].some((name) => (source[name] ?? "") !== "");
  return hasLocale ? environment : { ...environment, LC_CTYPE: platform === "darwin" ? "UTF-8" : "C.UTF-8" };
}

function isAllowed(name: string): boolean {
  return NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}
