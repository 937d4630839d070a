import type { SessionAnswer } from "@tmpm/api";
import { lazily } from "../lazily.js";

interface ChangesProps {
  readonly session: SessionAnswer;
}

/** The session's changes; loaded when first shown. */
export const LazyChanges = lazily<ChangesProps>(() => import("./changes.js").then(({ ChangesView }) => ChangesView), "changes");
