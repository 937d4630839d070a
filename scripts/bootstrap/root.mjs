import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's top folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The set-up's state between runs; ignored by git and safe to delete. */
export const cache = join(root, ".cache");
