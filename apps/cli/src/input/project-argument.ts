import { resolve } from "node:path";
import type { Context } from "../context.js";
import { baseDirectory } from "../fleet/base-directory.js";

/** A project by its id, or by its path relative to here, or to the home folder on another machine. No id contains a `/` or consists of dots. */
export async function projectArgument(text: string, context: Context): Promise<string>;
export async function projectArgument(text: string | undefined, context: Context): Promise<string | undefined>;
export async function projectArgument(text: string | undefined, context: Context): Promise<string | undefined> {
  if (text === undefined || (!text.includes("/") && text !== "." && text !== "..")) return text;
  return resolve(await baseDirectory(context), text);
}
