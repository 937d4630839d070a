import { describe, expect, test } from "vitest";
import type { Option } from "../../src/command.js";
import { bind } from "../../src/parse/bind.js";
import { parseWithCommander } from "../../src/parse/commander-path.js";
import { flagOf } from "../../src/parse/flag.js";
import { parse } from "../../src/parse/parse.js";
import { runIn } from "../fixtures/answering.js";
import { commands, names } from "./all-commands.js";
import { answeringByContract } from "./answering-by-contract.js";
import { exampleArgv, examplesOf } from "./example-argv.js";

describe("help", () => {
  test("has examples for every command, and each one parses", async () => {
    for (const { name, more } of commands) {
      const lines = examplesOf(more);
      expect([name, lines.map((line) => exampleArgv(line)?.[0])]).toEqual([name, expect.arrayContaining([name])]);
      for (const line of lines) {
        const parsed = await parse(exampleArgv(line) ?? [], { version: "0" });
        if (parsed.kind !== "run") throw new Error(`${line} runs nothing`);
        bind(parsed.command, parsed.raw);
      }
    }
  });

  test("never runs the command, with any other arguments, and is printed on standard output", async () => {
    await using daemon = await answeringByContract();
    for (const name of names) {
      for (const argv of [
        [name, "-h", "x"],
        [name, "x", "--help", "--json"],
        ["help", name],
      ]) {
        const { exit, stdout, stderr } = await daemon.tmpm(...argv);
        expect({ argv, exit, stderr }).toEqual({ argv, exit: 0, stderr: "" });
        expect(stdout).toContain(`Usage: tmpm ${name} [options]`);
        expect([name, stdout]).toEqual([name, expect.stringContaining("\nExamples:\n")]);
      }
    }
    expect(daemon.asked).toEqual([]);
  });
});

describe("invalid arguments", () => {
  test("are a usage error that contains the flag", async () => {
    for (const command of commands) {
      const { name, options } = command;
      const flags = [...Object.keys(options), "json"].map(flagOf);
      for (const flag of flags) {
        const typo = `${flag.slice(0, -2)}${flag.at(-1)}${flag.at(-2)}`;
        if (flags.includes(typo)) continue;
        const refused = { code: "INVALID_ARGUMENT", message: expect.stringMatching(`unknown option '${typo}'.*${flag}`) };
        expect(() => parseWithCommander([name, typo], { commands: [command], version: "0" })).toThrow(expect.objectContaining(refused));
      }
    }
  });

  test("include an extra word, and a missing one", async () => {
    for (const { name, args } of commands) {
      const taken = Object.values(args);
      if (!taken.some(({ takes }) => takes === "some" || takes === "any")) {
        const words = taken.filter(({ takes }) => takes !== "rest").map(({ choices }) => choices?.[0] ?? "x");
        expect([name, (await runIn({}, [name, ...words, "extra"])).exit]).toEqual([name, 2]);
      }
      if (taken.some(({ takes }) => takes === "one" || takes === "some")) expect([name, (await runIn({}, [name])).exit]).toEqual([name, 2]);
    }
  });

  test("include an empty argument, wherever text is not allowed", async () => {
    await using daemon = await answeringByContract();
    for (const { name, args, options } of commands) {
      const taken = Object.values(args).filter(({ takes }) => takes !== "rest");
      const words = (empty: number) => taken.map(({ choices }, at) => (at === empty ? "" : (choices?.[0] ?? "x")));
      const lines = [
        ...taken.flatMap(({ mayBeEmpty }, at) => (mayBeEmpty ? [] : [[name, ...words(at)]])),
        ...Object.entries(options).flatMap(([key, { takes, mayBeEmpty }]) =>
          takes === "flag" || mayBeEmpty ? [] : [[name, ...words(-1), flagOf(key), ""]],
        ),
      ];
      for (const argv of lines) {
        const { exit, stderr } = await daemon.tmpm(...argv);
        expect({ argv, exit, stderr }).toEqual({ argv, exit: 2, stderr: expect.stringMatching(/ is empty|takes |not one of/) });
      }
    }
    expect(daemon.asked).toEqual([]);
  });

  test("include an unknown command, with any other arguments", async () => {
    for (const argv of [
      ["hooks"],
      ["hooks", "install", "--help"],
      ["hooks", "-h"],
      ["hooks", "--help", "--json"],
      ["help", "hooks"],
      ["", "--help"],
    ]) {
      const { exit, stderr, stdout } = await runIn({}, argv);
      expect({ argv, exit, said: `${stdout}${stderr}` }).toEqual({ argv, exit: 2, said: expect.stringContaining("unknown command") });
    }
  });

  test("is printed as JSON with --json", async () => {
    const { exit, stdout, stderr } = await runIn({}, ["ls", "--colour", "--json"]);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "INVALID_ARGUMENT", effect: "none" } });
  });
});

/** The values of a flag, in every command that has it. */
const SAME: Readonly<Record<string, { readonly takes: Option["takes"]; readonly label?: string }>> = {
  agent: { takes: "text", label: "A" },
  all: { takes: "flag" },
  dryRun: { takes: "flag" },
  effort: { takes: "text", label: "E" },
  file: { takes: "text", label: "F" },
  follow: { takes: "flag" },
  grace: { takes: "seconds", label: "SECONDS" },
  interrupt: { takes: "flag" },
  issue: { takes: "text", label: "N" },
  key: { takes: "text", label: "K" },
  limit: { takes: "count", label: "N" },
  lines: { takes: "count", label: "N" },
  model: { takes: "text", label: "M" },
  name: { takes: "text", label: "NAME" },
  print: { takes: "flag" },
  project: { takes: "text", label: "P" },
  promptFile: { takes: "text", label: "F" },
  provider: { takes: "text", label: "P" },
  restart: { takes: "flag" },
  socket: { takes: "text", label: "SOCKET" },
  temperature: { takes: "number", label: "T" },
  timeout: { takes: "seconds", label: "SECONDS" },
};

/** Flags with a different meaning per command: the id of a decision or a project, an event or a turn, a file or a terminal, a session or a machine. */
const DIFFERS: ReadonlySet<string> = new Set(["id", "from", "cancel", "attach", "after", "as"]);

describe("flags", () => {
  const all = commands.flatMap(({ name, options }) => Object.entries(options).map(([key, option]) => ({ name, key, ...option })));
  const described = ({ name, key, takes, label }: (typeof all)[number]) =>
    `tmpm ${name} ${flagOf(key)} takes ${takes} ${label ?? ""}`.trim();

  test("accept the same values in every command", () => {
    const otherwise = all.filter(
      ({ key, takes, label }) => SAME[key] !== undefined && (SAME[key].takes !== takes || SAME[key].label !== label),
    );
    expect(otherwise.map(described)).toEqual([]);
  });

  test("of several commands are in the table, or marked as different", () => {
    const free = all.filter(({ key }) => SAME[key] === undefined && !DIFFERS.has(key));
    const first = new Map(free.toReversed().map((option) => [option.key, option]));
    const otherwise = free.filter(({ key, takes, label }) => first.get(key)?.takes !== takes || first.get(key)?.label !== label);
    expect(otherwise.map(described)).toEqual([]);
  });

  test("have a summary of one line without a full stop, and a label for their value", () => {
    expect(all.filter(({ summary }) => !/^\S.*[^.\s]$/.test(summary)).map(described)).toEqual([]);
    expect(all.filter(({ takes, label }) => (label === undefined) !== (takes === "flag")).map(described)).toEqual([]);
  });
});
