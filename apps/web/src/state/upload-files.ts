import { type Signal, signal } from "@preact/signals";
import { tmpm } from "../daemon/tmpm.js";
import { failureText } from "../words/failure-words.js";
import { oneLine } from "../words/shown.js";
import { draftOf, withFile } from "./drafts.js";
import { say } from "./notices.js";

/** A large file over a slow line. */
const UPLOAD_MS = 3_600_000;

const uploads = new Map<string, Signal<readonly string[]>>();

/** Names of the files that are being uploaded for a session's draft. */
export function uploadsOf(session: string): Signal<readonly string[]> {
  const known = uploads.get(session);
  if (known !== undefined) return known;
  const names = signal<readonly string[]>([]);
  uploads.set(session, names);
  return names;
}

/** Uploads files and adds each to the session's draft, also when another session is shown by then. */
export async function uploadFiles(session: string, files: Iterable<File>): Promise<void> {
  await Promise.all([...files].map((file) => uploadFile(session, file)));
}

async function uploadFile(session: string, file: File): Promise<void> {
  const [names, draft] = [uploadsOf(session), draftOf(session)];
  names.value = [...names.value, file.name];
  try {
    const added = await tmpm.upload({ session, filename: file.name, bytes: file }, { timeoutMs: UPLOAD_MS });
    draft.value = withFile(draft.value, added);
  } catch (error) {
    say(`${oneLine(file.name)}: ${failureText(error)}`, { tone: "error" });
  } finally {
    const at = names.value.indexOf(file.name);
    names.value = names.value.filter((_, index) => index !== at);
  }
}
