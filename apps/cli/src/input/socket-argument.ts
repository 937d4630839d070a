import { resolve } from "node:path";
import { workingDirectory } from "./working-directory.js";

/** A tmux socket as a person names it: a path is relative to here, a name is tmux's own. */
export function socketArgument(socket: string): string {
  return socket.includes("/") ? resolve(workingDirectory(), socket) : socket;
}
