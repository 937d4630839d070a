import type { ChangedFile } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core";
import { errorLines } from "../render/error.js";
import type { Hunks, Loaded } from "./diff-mode.js";
import type { Effect, Message } from "./message.js";

type Loading = Extract<Effect, { readonly kind: "changes" | "hunks" }>;

interface LoadOptions {
  readonly client: Pick<Client, "diff">;
  readonly signal: AbortSignal;
}

const FILES = 1_000;
const LINES = 5_000;
/** Maximum length of a line; longer lines are rarely read. */
const CHARACTERS = 2_000;
const ANSWER_MS = 120_000;

/** Requests the changed files, or the hunks of one. A refusal is also shown as a result. */
export async function loadDiff(effect: Loading, options: LoadOptions): Promise<Message> {
  if (effect.kind === "changes") return { kind: "changes", session: effect.session, loaded: await settled(() => changes(effect, options)) };
  const { session, file } = effect;
  return { kind: "hunks", session, file, loaded: await settled(() => hunks(effect, options)) };
}

async function changes({ session }: Pick<Loading, "session">, { client, signal }: LoadOptions) {
  const asked = { session: session.id, stat: true, limit: FILES };
  const { files, total, base, notes, next } = await client.diff(asked, { timeoutMs: ANSWER_MS, signal });
  return { files, total, base, notes, isCut: next !== null };
}

async function hunks({ session, file }: Extract<Loading, { kind: "hunks" }>, { client, signal }: LoadOptions): Promise<Hunks> {
  // A renamed file is recognized only together with its former path.
  const path = [file.path, ...(file.from === null ? [] : [file.from])];
  const { files } = await client.diff({ session: session.id, path }, { timeoutMs: ANSWER_MS, signal });
  return linesOf(files.find((each) => each.path === file.path) ?? null);
}

/** Only a part of the text is kept, regardless of the size of the patch. */
function linesOf(file: ChangedFile | null): Hunks {
  if (file === null) return { lines: ["the file has no changes left, or its name is not valid UTF-8"], isCut: false };
  if (file.patch === null) return { lines: [file.too_large ? "too large to show" : "nothing to show"], isCut: false };
  const lines = file.patch.replace(/\n$/, "").split("\n", LINES + 1);
  const isLong = lines.slice(0, LINES).some((line) => line.length > CHARACTERS);
  return { lines: lines.slice(0, LINES).map((line) => line.slice(0, CHARACTERS)), isCut: isLong || lines.length > LINES };
}

async function settled<T>(load: () => Promise<T>): Promise<Loaded<T>> {
  try {
    return { kind: "shown", value: await load() };
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return { kind: "failed", text: errorLines(error).join("; ") };
  }
}
