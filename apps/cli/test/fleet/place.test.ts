import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands.js";
import { namesNode, placesOf } from "../../src/fleet/place.js";
import { parseFast } from "../../src/parse/fast-path.js";

async function places(...argv: readonly string[]) {
  const [verb = "", ...words] = argv;
  const command = await COMMANDS.get(verb)?.();
  const raw = command === undefined ? null : parseFast(command, words);
  if (command === undefined || raw === null) throw new Error(`not a command: ${argv.join(" ")}`);
  if (!namesNode(command, raw)) return null;
  return placesOf(command, raw).map(({ node, raw: own }) => [node, ...own.positionals]);
}

describe("an address", () => {
  test.each([
    [["show", "demo"], null],
    [["show", "build1:demo"], [["build1", "demo"]]],
    [["show", "local:demo"], [[null, "demo"]]],
    [["show", "demo", "--on", "build1"], [["build1", "demo"]]],
    [["show", "build1:demo", "--on", "build1"], [["build1", "demo"]]],
    [["send", "build1:demo", "note: all is well"], [["build1", "demo", "note: all is well"]]],
    [["send", "demo", "build1:demo"], [[null, "demo", "build1:demo"]]],
    [["rename", "build1:demo", "next"], [["build1", "demo", "next"]]],
    [
      ["stop", "build1:a", "b", "build1:c", "gpu:d"],
      [
        ["build1", "a", "c"],
        [null, "b"],
        ["gpu", "d"],
      ],
    ],
    [
      ["wait", "build1:a", "b", "exited"],
      [
        ["build1", "a", "exited"],
        [null, "b", "exited"],
      ],
    ],
    [["new", "--on", "build1"], [["build1"]]],
    [["new", "--on", "local"], [[null]]],
    [["stop", "local:a", "b", "--on", "local"], [[null, "a", "b"]]],
    [["stop", "local:a", "b"], [[null, "a", "b"]]],
  ] as const)("of %j", async (argv, expected) => {
    expect(await places(...argv)).toEqual(expected);
  });

  test.each([
    ["show", "gpu:demo", "--on", "build1"],
    ["rm", "local:api", "--on", "build1"],
    ["rm", "api", "local:web", "--on", "build1"],
    ["stop", "build1:api", "--on", "local"],
    ["wait", "local:api", "exited", "--on", "build1"],
  ])("that contradicts --on is refused: %s %s %s %s", async (...argv) => {
    await expect(places(...argv)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("name different nodes"),
    });
  });

  test("is refused by verbs for this machine only", async () => {
    await expect(places("daemon", "stop", "--on", "build1")).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "daemon does not accept --on",
    });
    expect(await places("config", "get", "a:b")).toBeNull();
  });
});
