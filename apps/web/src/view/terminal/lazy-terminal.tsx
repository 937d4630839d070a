import type { SessionAnswer } from "@tmpm/api";
import { lazily } from "../lazily.js";

export interface TerminalProps {
  readonly session: SessionAnswer;
  /** One of several terminals in little space. */
  readonly small?: boolean;
}

/** The terminal, loaded when first shown. */
export const LazyTerminal = lazily<TerminalProps>(() => import("./terminal-view.js").then(({ TerminalView }) => TerminalView), "terminal");
