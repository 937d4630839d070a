import { cutText, MOST_ENTRIES, MOST_OUTPUT, MOST_SAID, MOST_TITLE, MOST_UNITS, unitsOf } from "./bounds.js";
import type { Entry, MessageEntry, ToolEntry, Transcript } from "./transcript.js";

/** A text continues the speaker's last entry, unless it is another message. */
export function withSaid(transcript: Transcript, said: Omit<MessageEntry, "kind">): Transcript {
  const last = transcript.entries.at(-1);
  if (last?.kind !== "said" || !goesOn(last, said))
    return withEntry(transcript, { kind: "said", ...said, text: cutText(said.text, MOST_SAID) });
  if (last.text.length >= MOST_SAID) return transcript;
  return replaceAt(transcript, transcript.entries.length - 1, { ...last, text: cutText(last.text + said.text, MOST_SAID) });
}

/** Agents without message numbers begin another one after any other entry; each prompt is a separate one. */
function goesOn(last: MessageEntry, { who, message }: Omit<MessageEntry, "kind">): boolean {
  return last.who === who && last.message === message && (message !== null || who !== "user");
}

export type ToolChange = Pick<ToolEntry, "id"> & {
  readonly [Field in "title" | "tool" | "status" | "output"]?: ToolEntry[Field] | undefined;
};

/** A change of a stored tool updates its entry in place; any other is a new tool call. */
export function withTool(transcript: Transcript, { id, ...change }: ToolChange): Transcript {
  const at = transcript.entries.findLastIndex((entry) => entry.kind === "used" && entry.id === id);
  const before = transcript.entries[at];
  const known: ToolEntry = before?.kind === "used" ? before : { kind: "used", id, title: id, tool: "other", status: "pending", output: "" };
  const next: ToolEntry = {
    ...known,
    title: cutText(change.title ?? known.title, MOST_TITLE),
    tool: change.tool ?? known.tool,
    status: change.status ?? known.status,
    output: cutText(change.output ?? known.output, MOST_OUTPUT),
  };
  return before === undefined ? withEntry(transcript, next) : replaceAt(transcript, at, next);
}

export function withNote(transcript: Transcript, text: string): Transcript {
  return withEntry(transcript, { kind: "noted", text: cutText(text, MOST_OUTPUT) });
}

function withEntry(transcript: Transcript, entry: Entry): Transcript {
  return bounded({ ...transcript, entries: [...transcript.entries, entry] });
}

function replaceAt(transcript: Transcript, at: number, entry: Entry): Transcript {
  return bounded({ ...transcript, entries: transcript.entries.with(at, entry) });
}

/** The newest entry stays, regardless of its size. */
function bounded(transcript: Transcript): Transcript {
  const { entries, dropped } = transcript;
  let units = 0;
  let from = entries.length;
  while (from > 0 && entries.length - from < MOST_ENTRIES) {
    const entry = entries[from - 1];
    units += entry === undefined ? 0 : unitsOf(entry);
    if (units > MOST_UNITS && from < entries.length) break;
    from--;
  }
  return from === 0 ? transcript : { ...transcript, entries: entries.slice(from), dropped: dropped + from };
}
