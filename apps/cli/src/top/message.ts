import type { AnswerGiven, ChangedFile, FleetSession, SessionAnswer } from "@tmpm/api";
import type { Changes, Hunks, Loaded } from "./diff-mode.js";
import type { Command } from "./keys.js";
import type { Pointed } from "./mouse.js";
import type { Found, Named, Notice, SeenScreen, Size } from "./state.js";

/** All messages to the dashboard. */
export type Message =
  /** All sessions of one machine; null for this one. */
  | { readonly kind: "listed"; readonly node: string | null; readonly sessions: readonly SessionAnswer[]; readonly problems: number }
  | { readonly kind: "seen"; readonly node: string | null; readonly session: SessionAnswer }
  | { readonly kind: "gone"; readonly node: string | null; readonly id: string }
  /** A node does not answer; its listed data is outdated. `asOf` is the time of its last response, if known better than here. */
  | { readonly kind: "silent"; readonly node: string; readonly reason: string; readonly asOf?: string | null }
  /** A node was removed. */
  | { readonly kind: "removed"; readonly node: string }
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
  | { readonly kind: "noted"; readonly notice: Notice }
  | { readonly kind: "found"; readonly found: Found }
  | { readonly kind: "changes"; readonly session: Named; readonly loaded: Loaded<Changes> }
  | { readonly kind: "hunks"; readonly session: Named; readonly file: ChangedFile; readonly loaded: Loaded<Hunks> };

/** The effects to perform. */
export type Effect =
  | { readonly kind: "quit" }
  | { readonly kind: "redraw" }
  | { readonly kind: "suspend" }
  | { readonly kind: "attach"; readonly session: Named }
  | { readonly kind: "stop" | "resume"; readonly session: Named }
  | { readonly kind: "changes"; readonly session: Named }
  | { readonly kind: "hunks"; readonly session: Named; readonly file: ChangedFile }
  /** `queue`: it is busy, so the text waits for it. */
  | { readonly kind: "send"; readonly session: Named; readonly text: string; readonly queue: boolean }
  | { readonly kind: "answer"; readonly session: Named; readonly decision: string; readonly answer: AnswerGiven }
  | { readonly kind: "search"; readonly query: string; readonly sessions: readonly FleetSession[] };
