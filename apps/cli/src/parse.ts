import type { Parsed } from "./commander-path.js";
import { COMMANDS, HOT } from "./commands.js";
import { parseFast } from "./fast-path.js";

/** What a command line asks for. @throws INVALID_ARGUMENT */
export async function parse(argv: readonly string[], { version }: { version: string }): Promise<Parsed> {
  const [verb, ...args] = argv;
  if (argv.length === 1 && (verb === "--version" || verb === "-V")) return { kind: "text", text: `${version}\n` };
  if (argv.every((word) => word === "--json")) {
    const { overview } = await import("./commands/overview.js");
    return { kind: "run", command: overview, raw: { positionals: [], rest: [], values: {} } };
  }
  const load = verb !== undefined && HOT.has(verb) ? COMMANDS.get(verb) : undefined;
  if (load !== undefined) {
    const command = await load();
    const raw = parseFast(command, args);
    if (raw !== null) return { kind: "run", command, raw };
  }
  const { parseWithCommander } = await import("./commander-path.js");
  const commands = await Promise.all(Array.from(COMMANDS.values(), (command) => command()));
  return parseWithCommander(argv, { commands, version });
}
