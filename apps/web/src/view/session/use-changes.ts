import type { CommentsAnswer, DiffAnswer, SessionAnswer } from "@tmpm/api";
import { useEffect, useRef, useState } from "preact/hooks";
import { diffOf } from "../../daemon/diff-of.js";
import { tmpm } from "../../daemon/tmpm.js";
import { failureText } from "../../words/failure-words.js";

export type Comment = CommentsAnswer["comments"][number];

export interface SeenChanges {
  /** Null until the first response. */
  readonly diff: DiffAnswer | null;
  readonly comments: readonly Comment[];
  readonly failure: string | null;
}

export interface Changes extends SeenChanges {
  look(): void;
  /** Adds the next files to those shown. */
  more(): void;
  /** Changes the comments, then shows all of them at their current places. Resolves to whether it succeeded. */
  change(run: () => Promise<CommentsAnswer>): Promise<boolean>;
}

/** A session's changes and their comments; reloaded when its agent starts or finishes something. */
export function useChanges({ id, activity: { state } }: SessionAnswer): Changes {
  const [seen, setSeen] = useState<SeenChanges>({ diff: null, comments: [], failure: null });
  const [asked, setAsked] = useState(0);
  const shownFiles = useRef(0);
  shownFiles.current = seen.diff?.files.length ?? 0;
  const failed = (error: unknown) => setSeen((last) => ({ ...last, failure: failureText(error) }));
  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    Promise.all([diffOf(tmpm, { session: id, files: shownFiles.current, signal }), tmpm.comments({ session: id }, { signal })]).then(
      ([diff, { comments }]) => setSeen({ diff, comments, failure: null }),
      (error: unknown) => {
        if (!signal.aborted) failed(error);
      },
    );
    return () => leave.abort();
  }, [id, state, asked]);
  return {
    ...seen,
    look: () => setAsked((count) => count + 1),
    more() {
      const { diff } = seen;
      if (diff === null || diff.next === null) return;
      tmpm.diff({ session: id, cursor: diff.next }).then((page) => {
        const both = { ...page, files: [...diff.files, ...page.files] };
        // It belongs to the list that it was requested for, and not to a newer one.
        setSeen((last) => (last.diff === diff ? { ...last, diff: both } : last));
      }, failed);
    },
    async change(run) {
      try {
        await run();
      } catch (error) {
        failed(error);
        return false;
      }
      // The answer contains only those that were added or removed.
      await tmpm.comments({ session: id }).then(({ comments }) => setSeen((last) => ({ ...last, comments, failure: null })), failed);
      return true;
    },
  };
}
