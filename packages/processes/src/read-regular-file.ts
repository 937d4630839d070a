import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Maximum size of a file, in bytes. */
const MOST_BYTES = 1024 * 1024;

/**
 * The text of a small regular file. Anything else throws a system error, with code `EINVAL`, or `EFBIG` for a large file: a pipe does not
 * block.
 */
export async function readRegularFile(path: string, { maxBytes = MOST_BYTES }: { readonly maxBytes?: number } = {}): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw refused("EINVAL", "not a regular file");
    if (stats.size > maxBytes) throw refused("EFBIG", `larger than ${maxBytes} bytes`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function refused(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, syscall: "open" });
}
