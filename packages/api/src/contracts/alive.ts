import { count } from "./contract.js";

/** The default of `alive_ms`. */
export const ALIVE_MS = 15_000;

export const aliveMs = count(1_000, ALIVE_MS)
  .optional()
  .describe(`Maximum interval between the messages of a stream, in ms, so that its reader notices a lost connection; default ${ALIVE_MS}.`);
