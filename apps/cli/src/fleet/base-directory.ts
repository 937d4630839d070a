import type { Context } from "../context.js";
import { workingDirectory } from "../input/working-directory.js";

/** The base of relative paths: the working directory, or on another machine the user's home folder there. @throws NODE_NOT_FOUND */
export async function baseDirectory(context: Pick<Context, "node" | "at">): Promise<string> {
  if (context.node === null) return workingDirectory();
  const { home } = await context.at(null).client().node({ node: context.node });
  return home ?? "/";
}
