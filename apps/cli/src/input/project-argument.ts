import { resolve } from "node:path";
import { workingDirectory } from "./working-directory.js";

/** A project by its id, or by its path relative to the current directory. Ids neither contain a `/` nor consist of dots. */
export function projectArgument(text: string): string;
export function projectArgument(text: string | undefined): string | undefined;
export function projectArgument(text: string | undefined): string | undefined {
  if (text === undefined || (!text.includes("/") && text !== "." && text !== "..")) return text;
  return resolve(workingDirectory(), text);
}
