import { say } from "../../state/notices.js";
import { oneLine } from "../../words/shown.js";

const WEB: ReadonlySet<string> = new Set(["http:", "https:"]);

/** A terminal's link that may be opened: its normalized address, and the host that it leads to. */
export interface WebLink {
  readonly address: string;
  readonly host: string;
}

/** Null for what is not a web address. Also for one with a user name, which only makes it look as if it led elsewhere. */
export function webLink(address: string): WebLink | null {
  try {
    const { protocol, host, username, password, href } = new URL(address);
    return WEB.has(protocol) && username === "" && password === "" ? { address: href, host } : null;
  } catch {
    return null;
  }
}

/** A link printed by a program is opened only after the user has confirmed its target. */
export function askAndOpen(address: string): void {
  const link = webLink(address);
  if (link === null) {
    say(`This link is not opened, because it is not a plain web address: ${oneLine(address).slice(0, 200)}`);
    return;
  }
  say(`The terminal links to ${link.host}: ${oneLine(link.address)}`, {
    tone: "error",
    actions: [{ title: "Open it", run: () => void window.open(link.address, "_blank", "noopener,noreferrer") }],
  });
}
