import { COMMANDS } from "../../src/commands.js";
import { exampleArgv, examplesOf } from "./example-argv.js";

export const commands = await Promise.all(Array.from(COMMANDS.values(), (load) => load()));
export const names = commands.map(({ name }) => name);

/** Commands that query this machine instead of the daemon, or take over the terminal, and have separate tests. */
const LOCAL: ReadonlySet<string> = new Set(["hook", "daemon", "config", "doctor", "top", "mcp", "completion", "node"]);
/** Commands that run until they are interrupted, read standard input, or need another machine. */
const APART = ["--follow", "--wait", "follow", "-", "--install"];

/** The examples of all help texts that send the daemon a request and end by themselves. */
export const asking = commands.flatMap(({ name, more }) =>
  examplesOf(more).flatMap((line) => {
    const argv = exampleArgv(line) ?? [];
    return argv[0] !== name || LOCAL.has(name) || APART.some((word) => argv.includes(word)) ? [] : [{ name, line, argv }];
  }),
);

/** One for each command. */
export const firstOfEach = names.flatMap((name) => asking.find((example) => example.name === name) ?? []);
