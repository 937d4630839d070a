import { isOpen, keyedQueue, onceDone, type Question, type Report, runningTasks, type SessionMessages } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";

/** Sessions' questions and reports. Changes of one session are sequential; each is durable before it is visible. */
export interface MessageRegistry {
  /** Resolves when stored messages are loaded; unreadable ones are reported. */
  loaded(): Promise<void>;
  /** A session's messages, once loaded. */
  of(session: string): SessionMessages;
  all(): readonly SessionMessages[];
  /** Stores nothing when the change throws. @throws STORE_DEGRADED, STORAGE_FULL, STORE_READ_ONLY */
  change(session: string, change: (messages: SessionMessages) => SessionMessages): Promise<SessionMessages>;
  forget(session: string): Promise<void>;
  /** Runs while a caller waits for the answer to a question. */
  during<T>(question: string, task: () => Promise<T>): Promise<T>;
  isAwaited(question: string): boolean;
}

export interface MessageRegistryOptions {
  readonly documents: DocumentStore<SessionMessages>;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

const NOTHING: SessionMessages = { schema_version: 1, questions: [], reports: [] };

/** Number of closed questions and reports kept for a session, newest last. */
const KEPT = 50;

export function messageRegistry({ documents, report }: MessageRegistryOptions): MessageRegistry {
  const known = new Map<string, SessionMessages>();
  const awaited = runningTasks();
  const writing = keyedQueue();
  const loaded = onceDone(async () => {
    const { documents: kept, damaged } = await documents.all();
    for (const [session, messages] of kept) if (!known.has(session)) known.set(session, messages);
    for (const { path, reason } of damaged) report({ doing: `reading the messages at ${path}`, error: new Error(reason) });
  });

  return {
    async loaded() {
      try {
        await loaded();
      } catch (error) {
        report({ doing: "reading questions and reports", error });
      }
    },
    of: (session) => known.get(session) ?? NOTHING,
    all: () => [...known.values()],
    change: (session, change) =>
      writing.run(session, async () => {
        // A damaged document is not overwritten: reading it again fails.
        const before = known.get(session) ?? (await documents.get(session)) ?? NOTHING;
        const after = trimmed(change(before));
        await documents.put(session, after);
        known.set(session, after);
        return after;
      }),
    forget: (session) =>
      writing.run(session, async () => {
        known.delete(session);
        await documents.delete(session);
      }),
    during: awaited.run,
    isAwaited: awaited.isRunning,
  };
}

function trimmed(messages: SessionMessages): SessionMessages {
  const closed = messages.questions.filter((question) => !isOpen(question)).slice(-KEPT);
  const kept = new Set(closed.map(({ id }) => id));
  return {
    ...messages,
    questions: messages.questions.filter((question) => isOpen(question) || kept.has(question.id)),
    reports: messages.reports.slice(-KEPT),
  };
}

/** The session's question that has waited longest; null without one. */
export function openQuestion({ questions }: SessionMessages): Question | null {
  return questions.find(isOpen) ?? null;
}

export function newestReport({ reports }: SessionMessages): Report | null {
  return reports.at(-1) ?? null;
}
