import { resolve } from "node:path";
import { workingDirectory } from "./working-directory.js";

/** A project by its id as it is, or by its path, as seen from here. No id has a `/` in it, or is dots alone. */
export function projectArgument(text: string): string;
export function projectArgument(text: string | undefined): string | undefined;
export function projectArgument(text: string | undefined): string | undefined {
  if (text === undefined || (!text.includes("/") && text !== "." && text !== "..")) return text;
  return resolve(workingDirectory(), text);
}
