import { resolve } from "node:path";
import type { Context } from "../context.js";
import { baseDirectory } from "../fleet/base-directory.js";

/** A tmux socket argument: a path relative to the current directory, or one of tmux's names. */
export async function socketArgument(socket: string, context: Pick<Context, "node" | "at">): Promise<string> {
  return socket.includes("/") ? resolve(await baseDirectory(context), socket) : socket;
}
