import { say } from "../../state/notices.js";
import { oneLine } from "../../words/shown.js";

/** Whether a terminal's link is a web address. */
export function isOpenable(address: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}

/** A link printed by a program is opened only after the user has confirmed its target. */
export function askAndOpen(address: string): void {
  if (!isOpenable(address)) {
    say(`This link is not opened, because it is not a web address: ${oneLine(address).slice(0, 200)}`);
    return;
  }
  say(`The terminal links to ${oneLine(address).slice(0, 300)}`, {
    tone: "error",
    actions: [{ title: "Open it", run: () => void window.open(address, "_blank", "noopener,noreferrer") }],
  });
}
