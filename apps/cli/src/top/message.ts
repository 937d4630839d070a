import type { AnswerGiven, SessionAnswer } from "@tmpm/api";
import type { Command } from "./keys.js";
import type { Pointed } from "./mouse.js";
import type { Found, Named, Notice, SeenScreen, Size } from "./state.js";

/** Everything that the dashboard hears of. */
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
  /** A key that is not a command: of an answer, or of a question that the dashboard asks. */
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "pointed"; readonly pointed: Pointed }
  /** The text of a prompt as it stands now. */
  | { readonly kind: "typed"; readonly text: string }
  | { readonly kind: "entered"; readonly text: string }
  /** A prompt or a page is given up. */
  | { readonly kind: "left" }
  | { readonly kind: "told"; readonly notice: Notice }
  | { readonly kind: "found"; readonly found: Found };

/** What has to be done outside. */
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
