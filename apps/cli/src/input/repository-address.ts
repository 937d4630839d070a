import { resolve } from "node:path";
import { workingDirectory } from "./working-directory.js";

const WITH_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const SCP_LIKE = /^[\w.-]+@[\w.-]+:/;

/** A URL as it is, for the daemon to judge; anything else is a directory, as seen from here. */
export function repositoryAddress(text: string): string {
  return WITH_SCHEME.test(text) || SCP_LIKE.test(text) ? text : resolve(workingDirectory(), text);
}
