import { expect, test } from "vitest";
import type { Command, Option } from "../../src/command.js";
import { flagOf } from "../../src/parse/flag.js";
import { commands } from "../contract/all-commands.js";
import { answering, errorAnswer } from "../fixtures/answering.js";

/** Nothing may be requested. */
const refusing = () => answering(() => errorAnswer(500, { code: "INTERNAL", message: "a request was sent" }));

test.each([
  ["comment demo --old", "--old applies to a new comment only"],
  ["comment demo --drop all --old", "--old applies to a new comment only"],
  ["ask --session demo --withdraw 6d1f3c5a --offer yes", "--offer applies to a question only"],
  ["ask --session demo --withdraw 6d1f3c5a --timeout 5", "--timeout applies to a question only"],
  ["send demo --receipt 6d1f3c5a hello", "TEXT applies to a new send only"],
  ["send demo --cancel 6d1f3c5a --file task.md", "--file applies to a new send only"],
  ["send demo --receipt 6d1f3c5a --follow", "--follow applies to a new send only"],
  ["send demo --cancel 6d1f3c5a --key k", "--key applies to a new send only"],
  ["send build1:demo --when-online --attach f hello", "--attach applies to a send without --when-online only"],
  ["send demo --expires 1h hello", "--expires applies to --when-online only"],
  ["setup demo --trust", "--trust applies to --again only"],
  ["rm demo --purge --keep-workspace", "--keep-workspace applies to a removal without --purge only"],
  ["rm demo --purge --discard", "--discard applies to a removal without --purge only"],
  ["ls --discovered --node build1", "--discovered applies to this machine only"],
  ["usage demo --project api", "--project applies to all sessions only"],
  ["pr demo --watch --from alice", "--from applies to --deliver only"],
  ["pr demo --off --from alice", "--from applies to --deliver only"],
  ["finish demo --how keep --commit Work", "--commit applies to merge, squash, rebase and pr only"],
  ["finish demo --how keep --into main --dry-run", "--into applies to merge, squash, rebase and pr only"],
  ["finish demo --how rebase --message Work", "--message applies to merge, squash and pr only"],
  ["finish demo --dry-run --draft", "--draft applies to pr only"],
  ["pick demo --how squash --rest stop --discard", "--discard applies to --rest remove only"],
  ["pick demo --how squash --draft", "--draft applies to pr only"],
  ["set demo --duplicate-issue --task later", "--duplicate-issue applies to --issue and --project only"],
  ["new --duplicate-issue", "--duplicate-issue applies to --issue only"],
  ["new --setup", "--setup applies to --worktree and --repo only"],
  ["show demo --issue 4", "SESSION and --issue are mutually exclusive"],
])("tmpm %s is refused, instead of ignoring a part of it", async (line, message) => {
  await using daemon = await refusing();
  const refused = await daemon.tmpm(...line.split(" "));
  expect(refused).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining(message) });
  expect(daemon.asked).toEqual([]);
});

/** They act on this machine: an accepted option would start a daemon, or an editor. */
const HERE: ReadonlySet<string> = new Set(["daemon", "config"]);

/** The actions that an option's summary names, as in "add, set: the labels"; null when it names none. */
function actionsNamed({ summary }: Option, actions: readonly string[]): readonly string[] | null {
  const words = /^([a-z, ]+)(?: --[a-z]+)?: /.exec(summary)?.[1]?.split(", ") ?? [];
  return words.length > 0 && words.every((word) => actions.includes(word)) ? words : null;
}

function foreignOptions({ name, args, options }: Command): readonly (readonly [string, readonly string[]])[] {
  const actions = args.action?.choices ?? [];
  const before = Object.keys(args).indexOf("action") > 0 ? ["demo"] : [];
  return Object.entries(options).flatMap(([key, option]) => {
    const taking = actionsNamed(option, actions);
    const value = option.takes === "flag" ? [] : ["1"];
    const others = taking === null ? [] : actions.filter((action) => !taking.includes(action));
    return others.map((action) => [`${name} ${action} ${flagOf(key)}`, [name, ...before, action, flagOf(key), ...value]] as const);
  });
}

test("an action refuses the options of other actions", async () => {
  await using daemon = await refusing();
  const cases = commands.filter(({ name }) => !HERE.has(name)).flatMap(foreignOptions);
  expect(cases.length).toBeGreaterThan(50);
  const accepted: string[] = [];
  for (const [title, argv] of cases) if ((await daemon.tmpm(...argv)).exit !== 2) accepted.push(title);
  expect(accepted).toEqual([]);
  expect(daemon.asked).toEqual([]);
});
