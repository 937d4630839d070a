/** The interval that the page requests between the daemon's messages, in ms, so that it notices a lost connection within five seconds. */
export const ALIVE_MS = 1_500;
/** A connection that is silent for longer is lost, in ms. */
export const SILENT_MS = 4_000;
