import type { AnswerGiven, SessionAnswer } from "@tmpm/api";
import type { Command } from "./keys.js";
import type { Pointed } from "./mouse.js";
import type { Found, Named, Notice, SeenScreen, Size } from "./state.js";

/** All messages to the dashboard. */
export type Message =
  | { readonly kind: "listed"; readonly sessions: readonly SessionAnswer[]; readonly problems: number }
  | { readonly kind: "seen"; readonly session: SessionAnswer }
  | { readonly kind: "gone"; readonly id: string }
  | { readonly kind: "connected"; readonly connected: boolean }
  | { readonly kind: "screen"; readonly screen: SeenScreen }
  | { readonly kind: "resized"; readonly size: Size }
  /** Time has passed. */
  | { readonly kind: "ticked" }
  | { readonly kind: "command"; readonly command: Command }
  /** A key that is not a command: part of an answer, or of a confirmation. */
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "pointed"; readonly pointed: Pointed }
  /** The current text of a prompt. */
  | { readonly kind: "typed"; readonly text: string }
  | { readonly kind: "entered"; readonly text: string }
  /** A prompt or a page is closed. */
  | { readonly kind: "left" }
  | { readonly kind: "told"; readonly notice: Notice }
  | { readonly kind: "found"; readonly found: Found };

/** The effects to perform. */
export type Effect =
  | { readonly kind: "quit" }
  | { readonly kind: "redraw" }
  | { readonly kind: "suspend" }
  | { readonly kind: "attach"; readonly session: Named }
  | { readonly kind: "stop" | "resume"; readonly session: Named }
  /** `queue`: it is busy, so the text waits for it. */
  | { readonly kind: "send"; readonly session: Named; readonly text: string; readonly queue: boolean }
  | { readonly kind: "answer"; readonly session: Named; readonly decision: string; readonly answer: AnswerGiven }
  | { readonly kind: "search"; readonly query: string; readonly sessions: readonly SessionAnswer[] };
