import type { SessionAnswer } from "@tmpm/api";
import { lazily } from "../lazily.js";

interface ChangesProps {
  readonly session: SessionAnswer;
}

/** What the session changed; loaded when it is first shown. */
export const LazyChanges = lazily<ChangesProps>(() => import("./changes.js").then(({ ChangesView }) => ChangesView), "changes");
