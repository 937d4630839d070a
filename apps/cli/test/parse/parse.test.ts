import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Command, GROUPS } from "../../src/command.js";
import { COMMANDS } from "../../src/commands.js";
import { bind } from "../../src/parse/bind.js";
import { parseWithCommander } from "../../src/parse/commander-path.js";
import { parseFast } from "../../src/parse/fast-path.js";
import { flagOf } from "../../src/parse/flag.js";
import { helpAsked } from "../../src/parse/help-asked.js";
import { parse } from "../../src/parse/parse.js";
import { writeHelp } from "../../src/parse/write-help.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

const commands = await Promise.all(Array.from(COMMANDS.values(), (load) => load()));

const names = [...COMMANDS.keys()];

function commandOf(name: string): Command {
  const found = commands.find((command) => command.name === name);
  if (found === undefined) throw new Error(`no command ${name}`);
  return found;
}

function slowly(argv: readonly string[]) {
  return parseWithCommander(argv, { commands, version: "1.2.3" });
}

/** A command's input, parsed by commander. */
function inputOf(argv: readonly string[]) {
  const parsed = slowly(argv);
  if (parsed.kind !== "run") throw new Error(`no command to run: ${parsed.text}`);
  return bind(parsed.command, parsed.raw);
}

describe("the fast path", () => {
  test.each([
    ["ls"],
    ["ls", "--all"],
    ["ls", "--json", "--project", "p"],
    ["ls", "--project=p", "--all"],
    ["show", "demo"],
    ["show", "demo", "--json"],
    ["show", "--json", "demo"],
    ["show", "--", "-demo"],
    ["send", "demo"],
    ["send", "demo", "echo", "it works"],
    ["send", "demo", "-"],
    ["send", "demo", ""],
    ["send", "demo", "--now", "a"],
    ["send", "demo", "a", "--now"],
    ["send", "demo", "--", "-R", "--now", "--"],
    ["send", "--", "demo", "--json"],
    ["send", "demo", "--prompt-file", "-"],
    ["send", "demo", "--prompt-file=--"],
    ["send", "demo", "--prompt-file", "a", "--prompt-file", "b"],
    ["keys", "demo", "Enter", "C-c", "Up"],
    ["capture", "demo", "--history", "100"],
    ["wait", "demo"],
    ["wait", "demo", "exited", "--timeout", "1.5"],
    ["wait", "a", "b", "--any", "--for", "idle,errored"],
    ["stop", "a", "b", "--grace", "0"],
    ["stop", "a", "b", "a"],
  ])("parses %j %j %j %j %j as commander does", (...argv) => {
    const [verb = "", ...args] = argv;
    const command = commandOf(verb);
    const fast = parseFast(command, args);
    expect(fast).not.toBeNull();
    if (fast === null) return;
    expect(bind(command, fast)).toEqual(inputOf(argv));
  });

  test.each([
    ["ls", "--help"],
    ["ls", "-h"],
    ["ls", "--colour"],
    ["ls", "extra"],
    ["ls", "--project"],
    ["ls", "--all=yes"],
    ["ls", "--no-all"],
    ["ls", "--al"],
    ["why"],
    ["show", "a", "b"],
    ["send"],
    ["send", "demo", "-R"],
    ["send", "demo", "--prompt-file", "--now"],
    ["keys", "demo"],
    ["stop"],
  ])("leaves %j %j %j %j to commander", (...argv) => {
    const [verb = "", ...args] = argv;
    expect(parseFast(commandOf(verb), args)).toBeNull();
  });

  test.each(names)("parses every option of %s as commander does", (name) => {
    const command = commandOf(name);
    const words = Object.values(command.args).filter(({ takes }) => takes === "one" || takes === "some");
    const least = words.map(({ choices }) => choices?.[0] ?? "x");
    for (const [key, { takes }] of [...Object.entries(command.options), ["json", { takes: "flag" }] as const]) {
      const values = takes === "flag" ? [] : takes === "text" || takes === "texts" ? ["-"] : ["7"];
      for (const args of [
        [...least, flagOf(key), ...values],
        [flagOf(key), ...values, ...least, flagOf(key), ...values],
      ]) {
        const fast = parseFast(command, args);
        expect([name, ...args, fast === null ? null : bind(command, fast)]).toEqual([name, ...args, inputOf([name, ...args])]);
      }
    }
  });

  test.each([
    ["new", "--name", "job", "--", "sh", "-c", "echo --help", "--", "-x", "--json"],
    ["new", "-", "--prompt-file", "f", "--"],
  ])("passes words after -- to a custom command in %j %j", (...argv) => {
    const [verb = "", ...args] = argv;
    const command = commandOf(verb);
    const fast = parseFast(command, args);
    expect(fast === null ? null : bind(command, fast)).toEqual(inputOf(argv));
  });
});

describe("the whole tree", () => {
  test.each([
    [["ls", "--colour"], /unknown option '--colour'/, /tmpm ls --help/],
    [["why"], /missing required argument 'SESSION'/, /tmpm why --help/],
    [["ls", "--version"], /unknown option '--version'/, /tmpm ls --help/],
    [["ls", "extra"], /too many arguments/, /tmpm ls --help/],
    [["sho"], /unknown command 'sho'.*show/, /tmpm --help/],
    [["help", "nosuch"], /unknown command 'nosuch'/, /tmpm --help/],
    [["--colour"], /unknown option '--colour'/, /tmpm --help/],
    [["send", "demo", "-R"], /unknown option '-R'/, /tmpm send SESSION -- -TEXT/],
    [["new", "--colour", "x"], /unknown option '--colour'/, /tmpm new --help/],
    [["capture", "demo", "--history"], /argument missing/, /tmpm capture --help/],
  ])("refuses %j and suggests a correction", (argv, message, hint) => {
    expect(() => slowly(argv)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message), hint: expect.stringMatching(hint) }),
    );
  });

  test.each([
    [["wait", "demo", "--timeout", "soon"], /--timeout takes a number of seconds, not "soon"/],
    [["wait", "demo", "--timeout", "-1"], /--timeout takes a number of seconds/],
    [["capture", "demo", "--history", "1.5"], /--history takes a whole number/],
    [["new", "prompt"], /"prompt" is not one of -/],
  ])("refuses the values of %j", (argv, message) => {
    expect(() => inputOf(argv)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) }));
  });

  test("passes everything after -- to a custom command", () => {
    expect(inputOf(["new", "--name", "job", "--", "sh", "-c", "echo --help", "--", "-x", "--json"])).toMatchObject({
      name: "job",
      input: undefined,
      argv: ["sh", "-c", "echo --help", "--", "-x", "--json"],
    });
    expect(inputOf(["new", "-", "--prompt-file", "f"])).toMatchObject({ input: "-", promptFile: "f", argv: [] });
  });

  test.each([[["--help"]], [["-h"]], [["help"]], [[]]])("%j prints every command", (argv) => {
    const parsed = slowly(argv);
    if (parsed.kind !== "text") throw new Error("help must not run anything");
    const unwrapped = parsed.text.replace(/\s+/g, " ");
    for (const { name, summary } of commands) {
      expect(parsed.text).toMatch(new RegExp(`^  ${name} `, "m"));
      expect(unwrapped).toContain(` ${summary} `);
    }
  });

  test.each(commands.map(({ name }) => name))("%s --help prints its help and runs nothing, at any position", (name) => {
    for (const argv of [
      [name, "--help"],
      [name, "x", "--help"],
      ["help", name],
    ]) {
      const parsed = slowly(argv);
      expect(parsed).toMatchObject({ kind: "text", text: expect.stringContaining(`Usage: tmpm ${name} [options]`) });
    }
  });

  test("the help generated by the build equals the output of every form of help", async () => {
    using dir = temporaryDir();
    const path = join(dir.path, "help.json");
    await writeHelp(path);
    const { HELP } = JSON.parse(readFileSync(path, "utf8"));
    expect(Object.keys(HELP)).toEqual(["", ...names]);
    const ways = names.flatMap((name) => [
      [name, "--help"],
      [name, "-h"],
      ["help", name],
    ]);
    for (const argv of [["--help"], ["-h"], ["help"], ...ways]) {
      expect([argv, { kind: "text", text: HELP[helpAsked(argv) ?? "none"] }]).toEqual([argv, slowly(argv)]);
    }
  });

  test.each([[[]], [["ls"]], [["help", "help"]], [["help", "constructor"]], [["ls", "--help", "x"]], [["--json", "--help"]]])(
    "%j is not a request for a verb's help only",
    (argv) => {
      expect(helpAsked(argv)).toBeNull();
    },
  );

  test("help lines wrap at a narrow terminal's width, and at the default width in a wide one", async () => {
    const [narrow, wide, none] = await Promise.all(
      [66, 200, null].map((columns) => parse(["ls", "--help"], { version: "0", columns: async () => columns })),
    );
    if (narrow?.kind !== "text") throw new Error("help must not run anything");
    const options = narrow.text.slice(narrow.text.indexOf("Options:"), narrow.text.indexOf("\nWHAT")).split("\n");
    expect(Math.max(...options.map((line) => line.length))).toBeLessThanOrEqual(66);
    expect(wide).toEqual(none);
  });

  test("the version is that of the package", async () => {
    expect(slowly(["--version"])).toEqual({ kind: "text", text: "1.2.3\n" });
    expect(await parse(["-V"], { version: "1.2.3" })).toEqual({ kind: "text", text: "1.2.3\n" });
  });

  test("command names match their table, each in one group of the help", () => {
    expect(commands.map(({ name }) => name)).toEqual([...COMMANDS.keys()]);
    const inHelp = GROUPS.flatMap((title) => commands.filter(({ group }) => group === title));
    expect(inHelp.map(({ name }) => name)).toEqual([...COMMANDS.keys()]);
  });
});
