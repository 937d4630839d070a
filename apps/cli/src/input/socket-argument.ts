import { resolve } from "node:path";
import { workingDirectory } from "./working-directory.js";

/** A tmux socket argument: a path relative to the current directory, or one of tmux's names. */
export function socketArgument(socket: string): string {
  return socket.includes("/") ? resolve(workingDirectory(), socket) : socket;
}
