import { jsonIn } from "./json-path.js";
import { lineReader } from "./line-reader.js";
import { EMPTY_TRANSCRIPT, type Transcript, type TranscriptChange, type TranscriptReader, withChange } from "./transcript.js";

export interface JsonLines {
  /** The conversation's file; null while there is none. */
  readonly find: () => Promise<string | null>;
  /** The change made by one entry; null for none. Entries may have any shape. */
  readonly change: (entry: unknown) => TranscriptChange | null;
}

/** Reads a transcript with a line of JSON for each entry. Invalid lines, such as one truncated by a crash of the agent, are skipped. */
export function jsonLinesTranscript({ find, change }: JsonLines): TranscriptReader {
  const reader = lineReader();
  let path: string | null = null;
  let transcript: Transcript | null = null;

  async function read(): Promise<Transcript | null> {
    path ??= await find();
    if (path === null) return null;
    const added = reader.read(path);
    if (added === null) {
      path = null;
      return null;
    }
    const begin = added.restarted || transcript === null ? EMPTY_TRANSCRIPT : transcript;
    transcript = added.lines.reduce((current, line) => {
      const changed = change(jsonIn(line));
      return changed === null ? current : withChange(current, changed);
    }, begin);
    return transcript;
  }

  return { read };
}
