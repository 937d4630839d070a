import { TmpmError } from "@tmpm/core";
import { Command as Commander, CommanderError } from "commander";
import { type Command, GROUPS, type RawInput, type Shape } from "../command.js";
import { HERE, ON } from "../fleet/here.js";
import { flagOf } from "./flag.js";
import { HELP_COLUMNS } from "./help-asked.js";
import { helpBelow } from "./help-parts.js";
import { splitRest } from "./split-rest.js";
import { placeOf, usageOf } from "./usage.js";

export type Parsed =
  | { readonly kind: "run"; readonly command: Command; readonly raw: RawInput }
  /** Help or the version, which is only printed. */
  | { readonly kind: "text"; readonly text: string };

export interface CommanderPathOptions {
  readonly commands: readonly Command[];
  readonly version: string;
  /** Width of the help in cells; default `HELP_COLUMNS`. */
  readonly helpColumns?: number;
}

/** Parses any command line with the full tree: help, suggestions and exact messages. @throws INVALID_ARGUMENT */
export function parseWithCommander(
  argv: readonly string[],
  { commands, version, helpColumns = HELP_COLUMNS }: CommanderPathOptions,
): Parsed {
  const { own, rest } = splitRest(
    argv,
    commands.find(({ name }) => name === argv[0]),
  );
  let found: Parsed | null = null;
  let text = "";
  const program = new Commander("tmpm")
    .description("Supervise coding agents in tmux, on tmpm's own PTYs, or over a protocol.")
    .usage("<command> [session]")
    .version(version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Print this help")
    .commandsGroup(`${GROUPS.at(-1)}:`)
    .helpCommand("help [command]", "Print the help of a command")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (part) => (text += part), writeErr: () => {}, getOutHelpWidth: () => helpColumns })
    .configureHelp({ minWidthToWrap: LEAST_COLUMNS, subcommandTerm: (command) => command.name() })
    .addHelpText("after", () => helpBelow(BELOW, helpColumns));
  for (const command of commands) {
    addCommand(program, command).action((...args: unknown[]) => {
      found = { kind: "run", command, raw: { ...readAction(args, command), rest } };
    });
  }
  if (own.length === 0) return { kind: "text", text: program.helpInformation() };
  try {
    program.parse(withoutHelpOfNothing(own, commands), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.help" && error.exitCode !== 0) throw unknownCommand(own[1] ?? "");
    if (error.exitCode !== 0)
      throw usageError(
        error,
        commands.find(({ name }) => name === own[0]),
      );
  }
  return found ?? { kind: "text", text };
}

const BELOW = `A session is identified by its name, its id, or a prefix of either.
\`tmpm\` alone shows an overview, and \`tmpm COMMAND --help\` has examples.`;

/** Minimum width in cells for wrapping a text beside a flag. */
const LEAST_COLUMNS = 10;

function addCommand(program: Commander, shape: Command): Commander {
  const command = program
    .command(shape.name)
    .helpGroup(`${shape.group}:`)
    .summary(shape.summary)
    .description(`${shape.summary}.`)
    .allowExcessArguments(false);
  const args = Object.values(shape.args);
  for (const argument of args) if (argument.takes !== "rest") command.argument(placeOf(argument), argument.summary);
  command.usage(usageOf(shape));
  for (const [key, option] of Object.entries(shape.options)) {
    const flags = option.takes === "flag" ? flagOf(key) : `${flagOf(key)} <${option.label ?? option.takes}>`;
    if (option.takes === "texts")
      command.option(flags, option.summary, (text: string, before: readonly string[] = []) => [...before, text]);
    else command.option(flags, option.summary);
  }
  if (!HERE.has(shape.name)) command.option(`--on <${ON.label}>`, ON.summary);
  command.option("--json", "Print the daemon's response as JSON");
  const columns = program.configureOutput().getOutHelpWidth?.() ?? HELP_COLUMNS;
  if (shape.more !== undefined) command.addHelpText("after", () => helpBelow(shape.more, columns));
  return command;
}

/** Commander passes each declared argument, then the options, then itself. */
function readAction(args: readonly unknown[], shape: Shape): Pick<RawInput, "positionals" | "values"> {
  const command = args.at(-1);
  if (!(command instanceof Commander)) throw new TypeError("commander did not pass the command");
  const values = command.opts();
  // Commander treats `--no-wait` as negating a default `wait`.
  const without = Object.keys(shape.options).filter((key) => /^no[A-Z]/.test(key));
  return {
    positionals: command.args,
    values: {
      ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== false)),
      ...Object.fromEntries(without.map((key) => [key, values[positive(key)] === false])),
    },
  };
}

function positive(key: string): string {
  return key.charAt(2).toLowerCase() + key.slice(3);
}

/** Commander accepts any word before a request for help. */
function withoutHelpOfNothing(argv: readonly string[], commands: readonly Shape[]): readonly string[] {
  const [verb = ""] = argv;
  if (verb.startsWith("-") || verb === "help" || commands.some(({ name }) => name === verb)) return argv;
  return argv.filter((word) => word !== "--help" && word !== "-h");
}

/** For `help` of an unknown command, commander prints its help instead of an error. */
function unknownCommand(name: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `unknown command '${name}'`, { hint: "See `tmpm --help`." });
}

function usageError(error: CommanderError, command: Shape | undefined): TmpmError {
  const [message = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const dash = error.code === "commander.unknownOption" && command !== undefined && takesText(command);
  const help = command === undefined ? "tmpm --help" : `tmpm ${command.name} --help`;
  const hint = dash ? `To send text that begins with a dash, put -- before it: tmpm ${command.name} SESSION -- -TEXT` : `See \`${help}\`.`;
  return new TmpmError("INVALID_ARGUMENT", suggestion === undefined ? message : `${message} ${suggestion}`, { hint });
}

function takesText(command: Shape): boolean {
  return Object.values(command.args).some(({ label }) => label === "TEXT");
}
