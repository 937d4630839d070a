import { type CommentList, keyedQueue, type ReviewComment } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";

/** The comments on sessions' changes. Changes for one session are sequential. */
export interface CommentRegistry {
  of(session: string): Promise<readonly ReviewComment[]>;
  /** Stores the result of the change; nothing when it throws. */
  change(session: string, change: (comments: readonly ReviewComment[]) => readonly ReviewComment[]): Promise<readonly ReviewComment[]>;
  /** Serializes sends that take the open comments of a session, so that none is sent twice. */
  sending<T>(session: string, accept: () => Promise<T>): Promise<T>;
  forget(session: string): Promise<void>;
}

export function commentRegistry(documents: DocumentStore<CommentList>): CommentRegistry {
  const [writing, sending] = [keyedQueue(), keyedQueue()];
  return {
    of: async (session) => (await documents.get(session))?.comments ?? [],
    change: (session, change) =>
      writing.run(session, async () => {
        const before = await documents.get(session);
        const comments = change(before?.comments ?? []);
        if (comments.length === 0) await documents.delete(session);
        else await documents.put(session, { ...before, comments: [...comments] });
        return comments;
      }),
    sending: (session, accept) => sending.run(session, accept),
    forget: (session) => writing.run(session, () => documents.delete(session)),
  };
}
