import { type DecisionState, NOTHING_ASKED } from "./asked.js";
import { EMPTY_TRACK, type Track } from "./track.js";

/** The known state of one session beyond its record. */
export interface ObservedState {
  readonly track: Track;
  readonly asked: DecisionState;
}

export const NOTHING_KNOWN: ObservedState = { track: EMPTY_TRACK, asked: NOTHING_ASKED };
