import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isatty } from "node:tty";
import { writeConfigFile } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";
import { inForeground } from "../daemon/foreground.js";
import { usageError } from "../parse/usage-error.js";
import { openConfig } from "./open-config.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface Edited {
  readonly path: string;
  readonly changed: boolean;
}

/**
 * Opens a draft of the file in the user's editor and applies it once it is valid. Otherwise the draft stays, and is reopened the next time.
 * @throws CONFIG_INVALID, INVALID_ARGUMENT without an editor, STORE_READ_ONLY
 */
export async function editConfigFile(env: Env): Promise<Edited> {
  const { configInvalid, configTemplate, readConfig } = await import("../config-library.js");
  const { path, text: before } = await openConfig(env);
  const draft = `${path}.draft`;
  const editor = editorOf(env);
  const start = before ?? configTemplate();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(draft)) writeFileSync(draft, start, { mode: 0o600, flag: "wx" });
  const status = await inForeground([...editor, draft], env);
  if (status !== 0)
    throw new TmpmError("CONFIG_INVALID", `the editor ended with status ${status}, so nothing was applied`, { hint: kept(draft) });
  const text = readFileSync(draft, "utf8");
  const { mistakes } = readConfig(text);
  if (mistakes.length > 0) {
    const { message, hint, details } = configInvalid(draft, mistakes);
    throw new TmpmError("CONFIG_INVALID", message, { hint: [...(hint ?? "").split("\n").slice(0, -1), kept(draft)].join("\n"), details });
  }
  const changed = text !== start;
  if (changed && !writeConfigFile(path, { text, before }))
    throw new TmpmError("CONFIG_INVALID", `${path} was changed by another program in the meantime`, {
      hint: `Your version is in ${draft}; merge the two, then remove the draft.`,
    });
  rmSync(draft);
  return { path, changed };
}

function kept(draft: string): string {
  return `Your draft is in ${draft}; \`tmpm config edit\` reopens it, and removing it discards it.`;
}

/** A program and its options; `vi` on a terminal by default (POSIX). */
function editorOf({ VISUAL = "", EDITOR = "" }: Env): [string, ...string[]] {
  const [program, ...options] = (VISUAL || EDITOR || (isatty(0) && isatty(1) ? "vi" : "")).split(/\s+/).filter((each) => each !== "");
  if (program !== undefined) return [program, ...options];
  throw usageError("no editor is set", "Set EDITOR, or use `tmpm config set KEY VALUE`.");
}
