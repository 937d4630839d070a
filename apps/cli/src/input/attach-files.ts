import { isatty } from "node:tty";
import type { SendAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { type FileBytes, fileBytes } from "@tmpm/api/local";
import { isTmpmError, visibleText } from "@tmpm/core";
import { print } from "../terminal/output.js";

export interface Attaching {
  readonly session: string;
  /** Paths. */
  readonly files: readonly string[];
  /** Suppress progress output. */
  readonly quiet: boolean;
}

export interface Attached {
  readonly refs: readonly string[];
  /** The response; if nothing was or will be typed, the files are deleted from the session. */
  orTakeBack(sending: Promise<SendAnswer>): Promise<SendAnswer>;
}

/** Uploads files to a session, all or none. @throws FILE_NOT_FOUND, INVALID_ARGUMENT before anything is sent, and the daemon's errors */
export async function attachFiles(client: Client, { session, files, quiet }: Attaching): Promise<Attached> {
  const refs: string[] = [];
  const fresh: string[] = [];
  const takeBack = async () => {
    for (const upload of fresh) await client.discardUpload({ session, upload }).catch(() => undefined);
  };
  const opened: FileBytes[] = [];
  try {
    for (const file of files) opened.push(await fileBytes(file, progress(file, quiet)));
    for (const { filename, size, bytes } of opened) {
      const { ref_id, deduplicated } = await client.upload({ session, filename, size, bytes }, { timeoutMs: 60_000 + size / 1_000 });
      refs.push(ref_id);
      if (!deduplicated) fresh.push(ref_id);
    }
  } catch (error) {
    await takeBack();
    throw error;
  } finally {
    for (const file of opened) await file.close();
  }
  return {
    refs,
    async orTakeBack(sending) {
      try {
        const answer = await sending;
        if (answer.receipt.outcome === "refused") await takeBack();
        return answer;
      } catch (error) {
        // After any other failure the text, which refers to the files, may still be typed.
        if (isTmpmError(error) && error.effect === "none") await takeBack();
        throw error;
      }
    },
  };
}

const PROGRESS_BYTES = 1024 * 1024;

/** Shows the progress of a large file on a terminal. */
function progress(file: string, quiet: boolean): (bytes: number) => void {
  if (quiet || !isatty(2)) return () => undefined;
  let printed = 0;
  return (bytes) => {
    if (bytes - printed < PROGRESS_BYTES) return;
    printed = bytes;
    print(`tmpm: ${visibleText(file)}: ${Math.floor(bytes / PROGRESS_BYTES)} MiB\n`, 2);
  };
}
