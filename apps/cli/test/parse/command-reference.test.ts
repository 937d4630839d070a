import { expect, test } from "vitest";
import { type Command, GROUPS } from "../../src/command.js";
import { flagOf } from "../../src/parse/flag.js";
import { helpParts } from "../../src/parse/help-parts.js";
import { usageOf } from "../../src/parse/usage.js";
import { commands } from "../contract/all-commands.js";

/** After a change of a command, `npx vitest run apps/cli/test/parse/command-reference.test.ts -u` regenerates the page. */
test("docs/commands.md matches the definitions of the commands", async () => {
  await expect(reference(commands)).toMatchFileSnapshot("../../../../docs/commands.md");
});

const HEAD = `# Commands

Written from the definitions of the commands, which \`tmpm COMMAND --help\` and the manual pages show too. Every command also takes \`--json\` and \`--help\`.

A session is identified by its name, its id, or an unambiguous prefix of either.

| exit status | meaning |
| --- | --- |
| 0 | done |
| 1 | failed |
| 2 | usage error |
| 3 | not found |
| 4 | conflict, or not allowed in this state |
| 5 | your own \`--timeout\` or \`wait\` ran out |
| 6 | tmux or the daemon does not answer |
| 7 | sent, but not confirmed |
| 8 | the agent asks a question (\`send --follow\`) |

[Errors](errors.md) lists every error.
`;

function reference(all: readonly Command[]): string {
  const groups = GROUPS.map((title) => {
    const listed = all.filter(({ group }) => group === title);
    return [`## ${title}`, ...listed.map(commandPart)].join("\n\n");
  });
  return `${[HEAD, ...groups].join("\n")}\n`;
}

function commandPart(command: Command): string {
  const { name, summary, args, options, more } = command;
  const { prose, examples } = helpParts(more);
  const rows = [
    ...Object.values(args).map(({ label, summary: does }) => [label, does]),
    ...Object.entries(options).map(([key, { takes, label, summary: does }]) => [
      takes === "flag" ? flagOf(key) : `${flagOf(key)} ${label ?? takes}`,
      does,
    ]),
  ];
  const table = ["| | |", "| --- | --- |", ...rows.map(([typed = "", does = ""]) => `| \`${cell(typed)}\` | ${cell(does)} |`)].join("\n");
  const lines = examples.map(({ line, does }) => (does === null ? line : `${line}   # ${does}`));
  return [
    `### ${name}`,
    `\`tmpm ${name} ${usageOf(command)}\``,
    `${summary}.`,
    ...(prose === "" ? [] : [prose.replaceAll(/(?<=\S)\n(?=\S)/g, " ")]),
    ...(rows.length === 0 ? [] : [table]),
    ...(lines.length === 0 ? [] : [["```sh", ...lines, "```"].join("\n")]),
  ].join("\n\n");
}

/** `<` and `|` would be markup in a cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
