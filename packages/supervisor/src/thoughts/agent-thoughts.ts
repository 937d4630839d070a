import type { Transcript, TranscriptReader } from "@tmpm/agents";
import {
  contextLimitOf,
  msFromTimestamp,
  restState,
  type SessionRecord,
  type SessionView,
  ThoughtSnapshot,
  type Timestamp,
  timestampFromMs,
} from "@tmpm/core";
import type { Clock } from "../clock.js";
import type { ThoughtProvider, ThoughtSink } from "./thought-provider.js";

const MAX = 160;

/** A message of an agent in one line: its first meaningful line, without Markdown, at most 160 characters. */
export function thoughtText(message: string): string | null {
  const line = message
    .split("\n")
    .map(plain)
    .find((text) => /[\p{L}\p{N}]/u.test(text));
  if (line === undefined) return null;
  const characters = [...line];
  return characters.length <= MAX ? line : `${characters.slice(0, MAX - 1).join("")}…`;
}

function plain(line: string): string {
  return line
    .replace(/^\s*(#{1,6}|[-*+>]|\d+[.)])\s+/u, "")
    .replace(/\*\*|__|`/gu, "")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
}

export interface AgentThoughtsOptions {
  readonly clock: Clock;
  /** Identifies this stream of thoughts: a fresh UUID for each run. */
  readonly streamId: string;
  /** The running sessions, with their current beliefs. */
  readonly sessions: () => Promise<readonly SessionView[]>;
  /** The transcript of a session's conversation; null without one. */
  readonly open: (record: SessionRecord) => Promise<TranscriptReader | null>;
  readonly last: (sessionId: string) => ThoughtSnapshot | null;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  readonly everyMs: number;
}

interface Followed {
  /** And the process that may hold it. */
  readonly conversation: string;
  readonly reader: TranscriptReader;
  readonly transcript: Transcript;
  readonly shown: Shown;
  readonly content: string;
  readonly prompts: number;
  readonly objectiveChangedAt: Timestamp | null;
}

/** Thoughts from the agents' own messages: the last message in the transcript. */
export function agentThoughts(options: AgentThoughtsOptions): ThoughtProvider {
  const followed = new Map<string, Followed>();

  async function follow(view: SessionView, sink: ThoughtSink): Promise<void> {
    const { id, conversation_id, pane } = view.record;
    if (conversation_id === null) return;
    // A protocol host keeps conversations while its process lives.
    const conversation = `${conversation_id} ${pane?.server_pid ?? ""}`;
    const known = followed.get(id);
    const before = known?.conversation === conversation ? known : null;
    const reader = before?.reader ?? (await options.open(view.record));
    const transcript = (await reader?.read()) ?? null;
    if (reader === null || transcript === null) return;
    const nowMs = options.clock.now();
    const shown = shownOf(view, nowMs);
    if (before?.transcript === transcript && before.shown.thought === shown.thought && before.shown.rest === shown.rest) return;
    const prompts = transcript.prompts;
    const objectiveChangedAt = before !== null && prompts > before.prompts ? timestampFromMs(nowMs) : (before?.objectiveChangedAt ?? null);
    const snapshot = snapshotOf(view.record, { transcript, shown, nowMs, objectiveChangedAt });
    const content = JSON.stringify({ ...snapshot, updated_at: null });
    followed.set(id, { conversation, reader, transcript, shown, content, prompts, objectiveChangedAt });
    if (content === before?.content) return;
    const last = options.last(id);
    const emission_seq = last?.stream_instance_id === options.streamId ? last.emission_seq + 1 : 1;
    sink({ key: id, snapshot: { ...snapshot, stream_instance_id: options.streamId, emission_seq } });
  }

  async function once(sink: ThoughtSink): Promise<void> {
    const views = await options.sessions();
    const ids = new Set(views.map(({ record }) => record.id));
    for (const id of followed.keys()) if (!ids.has(id)) followed.delete(id);
    for (const view of views) {
      await follow(view, sink).catch((error: unknown) =>
        options.report({ doing: `reading the transcript of session ${view.record.name}`, error }),
      );
    }
  }

  return {
    start(sink) {
      let closed = false;
      let wake: () => void = () => undefined;
      const running = (async () => {
        while (!closed) {
          await once(sink).catch((error: unknown) => options.report({ doing: "reading the agents' transcripts", error }));
          if (!closed) await Promise.race([options.clock.sleep(options.everyMs), new Promise<void>((resolve) => (wake = resolve))]);
        }
      })();
      return {
        async close() {
          closed = true;
          wake();
          await running;
        },
      };
    },
  };
}

/** How long an idle session is drowsy before it counts as asleep. */
const ASLEEP_MS = 30 * 60_000;

/** The states shown with the thought. */
interface Shown {
  readonly thought: ThoughtSnapshot["thought_state"];
  readonly rest: ThoughtSnapshot["rest_state"];
}

function shownOf(view: SessionView, nowMs: number): Shown {
  const { activity } = view;
  const asleep = activity.state === "idle" && nowMs - msFromTimestamp(activity.since) >= ASLEEP_MS;
  const working = activity.state === "working" || activity.state === "starting";
  return {
    thought: asleep ? "sleeping" : working ? "active" : "holding",
    rest: restState(view, { nowMs, thought: asleep ? "sleeping" : null }),
  };
}

interface Seen {
  readonly transcript: Transcript;
  readonly shown: Shown;
  readonly nowMs: number;
  readonly objectiveChangedAt: Timestamp | null;
}

function snapshotOf({ agent }: SessionRecord, { transcript, shown, nowMs, objectiveChangedAt }: Seen): ThoughtSnapshot {
  return ThoughtSnapshot.parse({
    thought: transcript.message === null ? null : thoughtText(transcript.message),
    thought_state: shown.thought,
    thought_source: "llm",
    rest_state: shown.rest,
    objective_changed_at: objectiveChangedAt,
    objective_fingerprint: transcript.prompt === null ? null : { prompts: transcript.prompts, prompt: thoughtText(transcript.prompt) },
    token_count: transcript.tokens,
    context_limit: contextLimitOf(agent, transcript.contextLimit),
    updated_at: timestampFromMs(nowMs),
  });
}
