import { resolve } from "node:path";
import { workingDirectory } from "./working-directory.js";

const WITH_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const SCP_LIKE = /^[\w.-]+@[\w.-]+:/;

/** A URL unchanged, for the daemon to validate; anything else is a directory relative to the current one. */
export function repositoryAddress(text: string): string {
  return WITH_SCHEME.test(text) || SCP_LIKE.test(text) ? text : resolve(workingDirectory(), text);
}
