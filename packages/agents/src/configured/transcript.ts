import { homedir } from "node:os";
import { jsonLinesTranscript } from "../files/json-lines-transcript.js";
import type { OpenTranscript, Transcript } from "../files/transcript.js";
import { fileLike } from "./file-like.js";
import { countIn, valuesAt, wordsAt } from "./json-field.js";
import type { EntriesConfig, TranscriptConfig } from "./transcript-config.js";

type Change = Partial<Omit<Transcript, "prompts">>;

/** Reads a described record. */
export function configuredTranscript(config: TranscriptConfig): OpenTranscript {
  return ({ conversationId, env }) => {
    const path = config.path.replace(/^~/u, () => env.HOME ?? homedir()).replaceAll("{id}", () => conversationId);
    return jsonLinesTranscript({ find: () => fileLike(path), change: (entry) => changeIn(config, entry) });
  };
}

function changeIn({ prompt, message, model, tokens, context_limit: limit }: TranscriptConfig, entry: unknown): Change | null {
  const asked = textOf(prompt, entry);
  const said = textOf(message, entry);
  const used = model === null ? null : wordsAt(entry, model);
  const counted = tokens === null ? null : countIn(entry, tokens);
  const most = limit === null ? null : countIn(entry, limit);
  const change: Change = {
    ...(asked === null ? {} : { prompt: asked }),
    ...(said === null ? {} : { message: said }),
    ...(used === null ? {} : { model: used }),
    ...(counted === null ? {} : { tokens: counted }),
    ...(most === null ? {} : { contextLimit: most }),
  };
  return Object.keys(change).length === 0 ? null : change;
}

function textOf(kinds: readonly EntriesConfig[], entry: unknown): string | null {
  for (const { when, text } of kinds) {
    const found = Object.entries(when).every(([field, wanted]) => valuesAt(entry, field).includes(wanted)) ? wordsAt(entry, text) : null;
    if (found !== null) return found;
  }
  return null;
}
