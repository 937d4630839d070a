import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RouteName } from "@tmpm/api";
import { expect, test } from "vitest";
import { type Answer, errorAnswer } from "../fixtures/answering.js";
import { asking, firstOfEach } from "./all-commands.js";
import { EXAMPLE_CONFIG, exampleHome, withJson } from "./example-home.js";
import { schemaFaults } from "./schema-faults.js";

const PATIENCE = 120_000;

/** Commands that fail without one before they send a request. */
export const NEEDS_TERMINAL: ReadonlySet<string> = new Set(["attach"]);

/** A command line whose daemon responds to every request with the example of its route, or with a given answer. */
export interface AnsweredCommands {
  /** Its data folder, for its configuration. */
  readonly home: string;
  readonly tmpm: (...argv: readonly string[]) => Promise<{ readonly exit: number; readonly stdout: string; readonly stderr: string }>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface AnswersContractOptions {
  readonly start: (answer?: (route: RouteName) => Answer | null) => Promise<AnsweredCommands>;
  /** Whether a command line can be used there; all by default. */
  readonly accepts?: (argv: readonly string[]) => boolean;
}

/** Every command reports an error of its daemon in the same way, wherever that is. */
export function errorsContract({ start, accepts = () => true }: AnswersContractOptions): void {
  test.each([
    [404, "SESSION_NOT_FOUND", 3],
    [504, "TMUX_UNRESPONSIVE", 6],
  ])(
    "%i %s ends every command with its exit status: a message for people, the envelope for programs",
    { timeout: PATIENCE },
    async (status, code, exit) => {
      using home = exampleHome();
      await using daemon = await start(() => errorAnswer(status, { code, message: "it is so", hint: "Do this." }));
      for (const { name, argv } of firstOfEach.filter((example) => accepts(example.argv))) {
        const programs = await daemon.tmpm(...withJson(home.placed(argv)));
        expect([name, programs.exit, programs.stderr]).toEqual([name, exit, ""]);
        expect([name, JSON.parse(programs.stdout)]).toMatchObject([name, { error: { code, message: "it is so", hint: "Do this." } }]);
        if (NEEDS_TERMINAL.has(name)) continue;
        const people = await daemon.tmpm(...home.placed(argv));
        expect([name, people]).toEqual([name, { exit, stdout: "", stderr: "tmpm: it is so\n      Do this.\n" }]);
      }
    },
  );
}

/** The output of every command matches its schema. */
export function outputContract({ start, accepts = () => true }: AnswersContractOptions): void {
  test("output as JSON matches its schema; for people it has the same status, in printable lines", { timeout: PATIENCE }, async () => {
    using home = exampleHome();
    using other = exampleHome();
    await using daemon = await start();
    writeFileSync(join(daemon.home, "config.yaml"), EXAMPLE_CONFIG);
    for (const { name, line, argv } of asking.filter((example) => accepts(example.argv))) {
      const programs = await daemon.tmpm(...withJson(home.placed(argv)));
      expect([line, programs.stderr]).toEqual([line, ""]);
      for (const value of programs.stdout.trimEnd().split("\n")) expect([line, schemaFaults(name, JSON.parse(value))]).toEqual([line, ""]);
      if (NEEDS_TERMINAL.has(name)) continue;
      const { exit, stdout, stderr } = await daemon.tmpm(...other.placed(argv));
      expect([line, exit]).toEqual([line, programs.exit]);
      expect([line, stdout]).toEqual([line, expect.stringMatching(/^(?:\P{Cc}*\n)*$/u)]);
      expect([line, stderr]).toEqual([line, expect.stringMatching(/^(?:tmpm: \P{Cc}+\n(?: {6}\P{Cc}+\n)*)*$/u)]);
    }
  });
}
