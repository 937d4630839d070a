import { type Asked, NOTHING_ASKED } from "./asked.js";
import { EMPTY_TRACK, type Track } from "./track.js";

/** The known state of one session beyond its record. */
export interface Known {
  readonly track: Track;
  readonly asked: Asked;
}

export const NOTHING_KNOWN: Known = { track: EMPTY_TRACK, asked: NOTHING_ASKED };
