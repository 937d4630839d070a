/** The maximum interval between the daemon's messages, as the page requests it, and between those of the page that leads the others, in ms. */
export const ALIVE_MS = 1_500;
/** A connection that is silent for longer is lost, and a leading page suspended, in ms: within five seconds the page shows it. */
export const SILENT_MS = 4_000;
