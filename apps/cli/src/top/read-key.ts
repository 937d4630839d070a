import { commandOf } from "./keys.js";
import type { Message } from "./message.js";
import { isMouse, readMouse } from "./mouse.js";
import type { TopState } from "./state.js";
import { parseKey } from "./terminal-ui.js";

/** The message of a key or the mouse outside a prompt; null for none. A paste is text for a prompt, not a sequence of commands. */
export function readKey(data: string, { mode }: Pick<TopState, "mode">): Message | null {
  if (isMouse(data)) {
    const pointed = readMouse(data);
    return pointed === null ? null : { kind: "pointed", pointed };
  }
  if (data.startsWith("\u001b[200~")) return null;
  const key = /^[!-~]$/.test(data) ? data : parseKey(data);
  if (key === undefined) return null;
  const command = mode.kind === "list" ? commandOf(key) : null;
  return command === null ? { kind: "key", key } : { kind: "command", command };
}
