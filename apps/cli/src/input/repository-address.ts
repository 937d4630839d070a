import { resolve } from "node:path";
import type { Context } from "../context.js";
import { baseDirectory } from "../fleet/base-directory.js";

const WITH_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const SCP_LIKE = /^[\w.-]+@[\w.-]+:/;

/** A URL unchanged, for the daemon to validate; anything else is a directory relative to here, or to the home folder on another machine. */
export async function repositoryAddress(text: string, context: Pick<Context, "node" | "at">): Promise<string> {
  return WITH_SCHEME.test(text) || SCP_LIKE.test(text) ? text : resolve(await baseDirectory(context), text);
}
