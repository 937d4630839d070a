import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TEXT_FILE } from "../server/private-files.js";
import { prepareStateDir } from "../server/state-dir.js";
import type { Command, Request } from "../transport/channel.js";

/** tmux reads a file faster than a longer command line (PERFORMANCE: about here). */
const LONGEST_IN_LINE = 8 * 1024;

export interface CarriedInput {
  readonly commands: readonly Command[];
  /** Removes the file with the input. A later command fails, and nothing after it runs. */
  release(): Promise<void>;
}

/**
 * The commands of a request with standard input over a connection without any: short text is in the command, long text in a private file
 * that the server reads. Null when impossible.
 */
export async function carriedInput(
  { commands, input = "" }: Request,
  where: { readonly folder: string; readonly word: string },
): Promise<CarriedInput | null> {
  if (isPlain(input)) return { commands: commands.map((command) => loaded(command, { text: input })), release: async () => undefined };
  const path = join(where.folder, `${TEXT_FILE}${where.word}`);
  // `load-buffer` takes its path as a format.
  if (path.includes("#")) return null;
  if (!(await isWritten(path, { folder: where.folder, text: input }))) return null;
  return { commands: commands.map((command) => loaded(command, { path })), release: () => rm(path, { force: true }) };
}

/** If the file cannot be written, a process can still pass the text on its standard input. */
async function isWritten(path: string, { folder, text }: { readonly folder: string; readonly text: string }): Promise<boolean> {
  try {
    await prepareStateDir(folder);
  } catch {
    return false;
  }
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch {
    await rm(path, { force: true });
    return false;
  }
}

function isPlain(text: string): boolean {
  return text.length <= LONGEST_IN_LINE && !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text);
}

function loaded(command: Command, source: { readonly text: string } | { readonly path: string }): Command {
  const [name, ...rest] = command;
  if (name !== "load-buffer" || rest.at(-1) !== "-") return command;
  const options = rest.slice(0, -1);
  return "text" in source ? ["set-buffer", ...options, "--", source.text] : ["load-buffer", ...options, "--", source.path];
}
