import { setUp } from "../bootstrap/set-up.mjs";

/** Brings what is installed and built up to date. */
export async function run() {
  await setUp({ optional: ["tmux"] });
  return 0;
}
