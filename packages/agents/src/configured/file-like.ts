import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../files/line-reader.js";

/**
 * The first file, from the last name to the first, whose absolute path matches a pattern: `*` matches a part of one name. Null without one.
 */
export async function fileLike(pattern: string): Promise<string | null> {
  return within(
    "/",
    pattern.split("/").filter((name) => name !== ""),
  );
}

async function within(folder: string, [name, ...rest]: readonly string[]): Promise<string | null> {
  if (name === undefined) return null;
  if (!name.includes("*") && rest.length > 0) return within(join(folder, name), rest);
  for (const entry of await entriesLike(folder, name)) {
    const path = join(folder, entry.name);
    if (rest.length === 0 && entry.isFile()) return path;
    const found = rest.length > 0 && entry.isDirectory() ? await within(path, rest) : null;
    if (found !== null) return found;
  }
  return null;
}

async function entriesLike(folder: string, pattern: string) {
  const like = new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`, "su");
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter(({ name }) => like.test(name)).sort((a, b) => (a.name < b.name ? 1 : -1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.|?+()[\]{}/]/gu, "\\$&");
}
