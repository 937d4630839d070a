import { setUp } from "../bootstrap/set-up.mjs";

/** Brings installation and build up to date. */
export async function run() {
  await setUp({ optional: ["tmux"] });
  return 0;
}
