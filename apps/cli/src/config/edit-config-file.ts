import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isatty } from "node:tty";
import { writeConfigFile } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";
import { inForegroundWith } from "../daemon/foreground.js";
import { usageError } from "../parse/usage-error.js";
import { readIfThere } from "../system/read-if-there.js";
import { openConfig } from "./open-config.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface Edited {
  readonly path: string;
  readonly changed: boolean;
}

/**
 * Opens a draft of the file in the user's editor and applies it once it is valid. Otherwise the draft stays, and is reopened the next time.
 * @throws CONFIG_INVALID, INVALID_ARGUMENT without an editor, PREREQUISITE_MISSING without that program, STORE_READ_ONLY
 */
export async function editConfigFile(env: Env): Promise<Edited> {
  const { configInvalid, configTemplate, readConfig } = await import("../config-library.js");
  const { path, text: before } = await openConfig(env);
  const draft = `${path}.draft`;
  const editor = editorOf(env);
  const start = before ?? configTemplate();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  openDraft(draft, { path, before, start });
  const status = await inForegroundWith([...editor, draft], { env, hint: "Set EDITOR to an editor that is installed." });
  if (status !== 0)
    throw new TmpmError("CONFIG_INVALID", `the editor ended with status ${status}, so nothing was applied`, { hint: kept(draft) });
  const text = readFileSync(draft, "utf8");
  const { mistakes } = readConfig(text);
  if (mistakes.length > 0) {
    const { message, hint, details } = configInvalid(draft, mistakes);
    throw new TmpmError("CONFIG_INVALID", message, { hint: [...(hint ?? "").split("\n").slice(0, -1), kept(draft)].join("\n"), details });
  }
  const changed = text !== start;
  if (changed && !writeConfigFile(path, { text, before })) throw changedMeanwhile(path, draft);
  rmSync(draft);
  rmSync(baseOf(draft), { force: true });
  return { path, changed };
}

/** A draft that was kept must be of the file as it is now: applied, it would undo what was changed since. */
function openDraft(
  draft: string,
  { path, before, start }: { readonly path: string; readonly before: string | null; readonly start: string },
): void {
  const base = before === null ? "none" : createHash("sha256").update(before).digest("hex");
  if (existsSync(draft)) {
    const of = readIfThere(baseOf(draft));
    if (of === null) throw unknownBase(path, draft);
    if (of !== base) throw changedMeanwhile(path, draft);
    return;
  }
  rmSync(baseOf(draft), { force: true });
  writeFileSync(baseOf(draft), base, { mode: 0o600, flag: "wx" });
  writeFileSync(draft, start, { mode: 0o600, flag: "wx" });
}

/** Where the digest of the file is kept that a draft was made from. */
function baseOf(draft: string): string {
  return `${draft}.base`;
}

function changedMeanwhile(path: string, draft: string): TmpmError {
  return new TmpmError("CONFIG_INVALID", `${path} has changed since your draft was created`, {
    hint: `Your version is in ${draft}; merge the two, then remove the draft.`,
  });
}

function unknownBase(path: string, draft: string): TmpmError {
  return new TmpmError("CONFIG_INVALID", `it is unknown which version of ${path} the draft ${draft} was made from`, {
    hint: "Compare the two, then move the draft over the file to apply it, or remove it.",
  });
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
