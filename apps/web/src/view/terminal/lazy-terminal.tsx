import type { SessionAnswer } from "@tmpm/api";
import { lazily } from "../lazily.js";

export interface TerminalProps {
  readonly session: SessionAnswer;
  /** One of several, which has little room. */
  readonly small?: boolean;
}

/** The terminal, which is loaded when it is first shown. */
export const LazyTerminal = lazily<TerminalProps>(() => import("./terminal-view.js").then(({ TerminalView }) => TerminalView), "terminal");
