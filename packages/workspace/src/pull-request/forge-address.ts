/** A repository at a host supported by `gh`. */
export interface ForgeAddress {
  readonly host: string;
  readonly owner: string;
  readonly repository: string;
}

const PLACES = [
  /^(?:https?|ssh|git):\/\/(?:[^/@]*@)?([^/:@]+)(?::\d+)?\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/,
  /^(?:[^/@:]+@)?([\w.-]+):\/?([^/]+)\/([^/]+?)(?:\.git)?\/?$/,
];
/** SSH over the HTTPS port has a host of its own. */
const SAME_HOST: Readonly<Record<string, string>> = { "ssh.github.com": "github.com" };
const NAME = /^[\w.-]+$/;

/** The repository in a remote's URL; null for a URL without owner and repository at a host, such as a path. */
export function forgeAddress(url: string): ForgeAddress | null {
  for (const place of PLACES) {
    const [, host = "", owner = "", repository = ""] = place.exec(url) ?? [];
    if ([host, owner, repository].every((part) => NAME.test(part) && !/^[.-]/.test(part))) {
      return { host: SAME_HOST[host.toLowerCase()] ?? host, owner, repository };
    }
  }
  return null;
}
