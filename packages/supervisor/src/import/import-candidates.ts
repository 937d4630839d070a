import { hasCode, type SessionRecord, type ThoughtSnapshot } from "@tmpm/core";
import { ao } from "@tmpm/core/compat/ao";
import { swimmers } from "@tmpm/core/compat/swimmers";
import { trustyMpm } from "@tmpm/core/compat/trusty-mpm";
import { type Exchange, zeroclaw } from "@tmpm/core/compat/zeroclaw";
import type { AoDocument, ForeignDocument, ForeignFiles } from "@tmpm/store/foreign";
import { derivedId } from "./derived-id.js";

/** A session of another program as a record of ours, or the reason why not. `id` is theirs; null when missing. */
export type Candidate =
  | {
      readonly kind: "session";
      readonly source: string;
      readonly id: string;
      readonly archived: boolean;
      readonly record: SessionRecord;
      /** Its agent's last thought, if the program has it. */
      readonly thought?: ThoughtSnapshot | null;
      /** Its conversation, if the program has it. */
      readonly exchanges?: readonly Exchange[];
      /** Tokens of the conversation, if the program counts them. */
      readonly tokens?: number | null;
    }
  | { readonly kind: "skipped"; readonly source: string; readonly id: string | null; readonly reason: string };

/** The sessions in the files, in order. @throws INVALID_ARGUMENT for a sessions file of another form */
export function candidatesOf(files: ForeignFiles, now: () => string): readonly Candidate[] {
  if (files.from === "trusty-mpm") return fromTrustyMpm(files.sessions, now);
  if (files.from === "swimmers") return fromSwimmers(files);
  if (files.from === "zeroclaw") return files.sessions.map(fromZeroclaw);
  return [...files.sessions.map(fromAo), ...files.unreadable.flatMap(skippedFile)];
}

function fromTrustyMpm(file: ForeignDocument, now: () => string): readonly Candidate[] {
  if (!file.readable) return skippedFile(file);
  const { source, document } = file;
  const codec = trustyMpm({ now });
  const entries = codec.decodeRegistry(document) ?? codec.decodeFile(document);
  return entries.map((entry): Candidate => {
    if (entry.kind === "session") return { kind: "session", source, id: entry.id, archived: false, record: entry.record };
    return { kind: "skipped", source, id: entry.id, reason: `${entry.kind}: ${entry.error.message}` };
  });
}

/** A document in the wrong place is damaged: ao-rs would save it to a second place. */
function fromAo(file: AoDocument): Candidate {
  const { source, id, project_id, archived } = file;
  if (!file.readable) return { kind: "skipped", source, id, reason: file.reason };
  const codec = ao({ idOf: derivedId("ao-rs") });
  try {
    const session = codec.decodeSession(file.document);
    if (session.id !== id) return { kind: "skipped", source, id, reason: `id: the file holds the session ${session.id}` };
    if (session.project_id !== project_id)
      return { kind: "skipped", source, id, reason: `project_id: the folder holds a session of ${session.project_id}` };
    return { kind: "session", source, id, archived, record: codec.decodeRecord(file.document) };
  } catch (error) {
    return { kind: "skipped", source, id, reason: invalidMessage(error) };
  }
}

function fromSwimmers({ registry, thoughts }: Extract<ForeignFiles, { from: "swimmers" }>): readonly Candidate[] {
  if (!registry.readable) return skippedFile(registry);
  const codec = swimmers({ idOf: derivedId("swimmers") });
  const entries = codec.decodeRegistry(registry.document);
  const kept = readThoughts(thoughts, codec);
  const known = new Set(entries.map(({ id }) => id));
  const sessions = entries.map((entry): Candidate => {
    const { source } = registry;
    if (entry.kind !== "session") return { kind: "skipped", source, id: entry.id, reason: `${entry.kind}: ${entry.error.message}` };
    const thought = kept.thoughts.get(entry.id);
    try {
      const session = thought === undefined ? entry.session : codec.withThought(entry.session, thought);
      return { kind: "session", source, id: entry.id, archived: false, record: codec.toRecord(session), thought: codec.toThought(session) };
    } catch (error) {
      return { kind: "skipped", source, id: entry.id, reason: invalidMessage(error) };
    }
  });
  const orphans = Array.from(kept.thoughts.keys()).filter((key) => !known.has(key));
  return [...sessions, ...kept.skipped, ...orphans.map((key) => orphan(key, thoughts?.source ?? ""))];
}

function fromZeroclaw(file: ForeignDocument): Candidate {
  const { source } = file;
  if (!file.readable) return { kind: "skipped", source, id: null, reason: file.reason };
  const codec = zeroclaw({ idOf: derivedId("zeroclaw") });
  try {
    const session = codec.decodeSession(file.document);
    const record = codec.toRecord(session);
    const exchanges = codec.toExchanges(session);
    return { kind: "session", source, id: session.session_uuid, archived: false, record, exchanges, tokens: session.token_count };
  } catch (error) {
    return { kind: "skipped", source, id: null, reason: invalidMessage(error) };
  }
}

type SwimmersCodec = ReturnType<typeof swimmers>;
type Thought = ReturnType<SwimmersCodec["decodeThought"]>;

function readThoughts(
  file: ForeignDocument | null,
  codec: SwimmersCodec,
): { readonly thoughts: ReadonlyMap<string, Thought>; readonly skipped: readonly Candidate[] } {
  if (file === null) return { thoughts: new Map(), skipped: [] };
  if (!file.readable) return { thoughts: new Map(), skipped: skippedFile(file) };
  const { source, document } = file;
  try {
    const entries = codec.decodeThoughts(document);
    return {
      thoughts: new Map(entries.flatMap((entry) => (entry.kind === "thought" ? [[entry.key, entry.thought]] : []))),
      skipped: entries.flatMap((entry): Candidate[] =>
        entry.kind === "thought"
          ? []
          : [{ kind: "skipped", source, id: entry.key, reason: `${entry.kind} thought: ${entry.error.message}` }],
      ),
    };
  } catch (error) {
    return { thoughts: new Map(), skipped: [{ kind: "skipped", source, id: null, reason: invalidMessage(error) }] };
  }
}

function orphan(key: string, source: string): Candidate {
  const reason = key.startsWith("tmux:")
    ? "a thought of a tmux pane that may have been reused"
    : "a thought of a session that is not in the registry";
  return { kind: "skipped", source, id: key, reason };
}

function skippedFile(file: ForeignDocument): readonly Candidate[] {
  return file.readable ? [] : [{ kind: "skipped", source: file.source, id: null, reason: file.reason }];
}

function invalidMessage(error: unknown): string {
  if (hasCode(error, "INVALID_ARGUMENT")) return error.message;
  throw error;
}
