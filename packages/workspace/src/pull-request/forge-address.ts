/** A repository at a host that `gh` can speak with. */
export interface ForgeAddress {
  readonly host: string;
  readonly owner: string;
  readonly repository: string;
}

const PLACES = [
  /^(?:https?|ssh|git):\/\/(?:[^/@]*@)?([^/:@]+)(?::\d+)?\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/,
  /^(?:[^/@:]+@)?([\w.-]+):\/?([^/]+)\/([^/]+?)(?:\.git)?\/?$/,
];
const NAME = /^[\w.-]+$/;

/** What a remote's URL names; null for one that names no owner and repository at a host, such as a path. */
export function forgeAddress(url: string): ForgeAddress | null {
  for (const place of PLACES) {
    const [, host = "", owner = "", repository = ""] = place.exec(url) ?? [];
    if ([host, owner, repository].every((part) => NAME.test(part) && !/^[.-]/.test(part))) return { host, owner, repository };
  }
  return null;
}
