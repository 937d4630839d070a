import { type Command, GROUPS, type Shape } from "../command.js";

import { flagOf } from "../parse/flag.js";
import { helpParts } from "../parse/help-parts.js";
import { usageOf } from "../parse/usage.js";
import { roff, roffLine } from "./roff.js";

export interface Edition {
  readonly version: string;
  /** Year, month and day. */
  readonly date: string;
}

/** Options of every command. */
const ALWAYS = [
  { typed: "--json", does: "Print the daemon's response as JSON" },
  { typed: "-h, --help", does: "Print the help" },
];

/** The page of a command in man(7), from its definition. */
export function manPage(shape: Shape, edition: Edition): string {
  const { name, summary, args, options, more } = shape;
  const { prose, examples } = helpParts(more);
  const given = Object.values(args).map(({ label, summary: does }) => ({ typed: label, does }));
  const flags = Object.entries(options).map(([key, { takes, label, summary: does }]) => ({
    typed: takes === "flag" ? flagOf(key) : `${flagOf(key)} ${label ?? takes}`,
    does,
  }));
  return page(`tmpm-${name}`, edition, [
    section("NAME", `tmpm\\-${name} \\- ${roffLine(summary)}`),
    section("SYNOPSIS", `.B tmpm ${roffLine(name)}`, roffLine(usageOf(shape))),
    section("DESCRIPTION", roffLine(`${summary}.`), ...(prose === "" ? [] : [".PP", roff(prose)])),
    ...(given.length === 0 ? [] : [section("ARGUMENTS", ...entries(given))]),
    section("OPTIONS", ...entries([...flags, ...ALWAYS])),
    section("EXAMPLES", ...examples.flatMap(({ line, does }) => [".TP", `.B ${roffLine(line)}`, does === null ? "\\&" : roffLine(does)])),
    section("EXIT STATUS", ...entries(STATUSES)),
    section("SEE ALSO", ".BR tmpm (1)"),
  ]);
}

/** The page of tmpm itself, with all commands. */
export function manOverview(commands: readonly Command[], edition: Edition): string {
  const listed = GROUPS.flatMap((title) => [
    `.SS ${title}`,
    ...entries(commands.filter(({ group }) => group === title).map(({ name, summary }) => ({ typed: `tmpm ${name}`, does: summary }))),
  ]);
  return page("tmpm", edition, [
    section("NAME", "tmpm \\- supervise coding agents that run in tmux"),
    section("SYNOPSIS", ".B tmpm", roffLine("[<command> [session]]")),
    section("DESCRIPTION", roff(ABOUT)),
    section("COMMANDS", ...listed),
    section("EXIT STATUS", ...entries(STATUSES)),
    section("SEE ALSO", ...commands.map(({ name }) => `.BR tmpm\\-${name} (1)`), ".BR tmux (1)"),
  ]);
}

const ABOUT = `Each session is a coding agent, or another program, in its own tmux session. Without a command, tmpm prints an overview and what to do next.
A session is identified by its name, its id, or an unambiguous prefix of either.`;

const STATUSES = [
  { typed: "0", does: "Done" },
  { typed: "1", does: "Failed" },
  { typed: "2", does: "Usage error" },
  { typed: "3", does: "Not found" },
  { typed: "4", does: "Conflict, or not allowed in this state" },
  { typed: "5", does: "The timeout that you set ran out" },
  { typed: "6", does: "tmux or the daemon does not answer" },
  { typed: "7", does: "Sent, but not confirmed" },
  { typed: "8", does: "The agent asks a question (send --follow)" },
];

function page(title: string, { version, date }: Edition, sections: readonly string[]): string {
  return [`.TH ${title.toUpperCase().replaceAll("-", "\\-")} 1 ${date} "tmpm ${version}" "tmpm"`, ...sections, ""].join("\n");
}

function section(title: string, ...lines: readonly string[]): string {
  return [`.SH ${title}`, ...lines].join("\n");
}

function entries(all: readonly { readonly typed: string; readonly does: string }[]): readonly string[] {
  return all.flatMap(({ typed, does }) => [".TP", `.B ${roffLine(typed)}`, roffLine(does)]);
}
