import { writeFileSync } from "node:fs";
import { COMMANDS } from "../commands.js";
import { VERSION } from "../version.js";
import { parseWithCommander } from "./commander-path.js";

/** Generates the content of `written-help.ts`; called by the build. */
export async function writeHelp(path: string): Promise<void> {
  const commands = await Promise.all(Array.from(COMMANDS.values(), (load) => load()));
  const helpOf = (verb: string) => {
    const argv = verb === "" ? ["--help"] : [verb, "--help"];
    const parsed = parseWithCommander(argv, { commands, version: VERSION });
    if (parsed.kind !== "text") throw new TypeError(`${argv.join(" ")} runs something`);
    return parsed.text;
  };
  const HELP = Object.fromEntries(["", ...COMMANDS.keys()].map((verb) => [verb, helpOf(verb)]));
  writeFileSync(path, `${JSON.stringify({ HELP })}\n`);
}
