import { loudly } from "../bootstrap/command.mjs";
import { setUpPnpm } from "../bootstrap/set-up.mjs";

/** Runs the pinned pnpm with any arguments. */
export async function run(args) {
  return loudly(["pnpm", ...args], { env: await setUpPnpm(), stdin: "inherit" });
}
