import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Shape } from "../../src/command.js";
import { COMMANDS } from "../../src/commands.js";
import { complete } from "../../src/completion/complete.js";
import type { Completions } from "../../src/completion/completions.js";
import { completionsByArgument, completionsByOption } from "../../src/completion/completions-of.js";
import { flagOf } from "../../src/parse/flag.js";
import { answeringByContract } from "../contract/answering-by-contract.js";
import { approval, session } from "../top/sessions.js";

/** A line for each argument and option, with its completer; one per action if that depends on the action. */
function placesOf(shape: Shape): readonly string[] {
  return [...argumentsOf(shape), ...optionsOf(shape)];
}

function argumentsOf(shape: Shape): readonly string[] {
  const at = Object.values(shape.args).findIndex(({ label }) => label === "ACTION");
  const actions = Object.values(shape.args)[at]?.choices ?? [];
  return Object.entries(shape.args).flatMap(([key, argument]) => {
    const kind = (action: string) =>
      kindOf(completionsByArgument({ shape, key, argument, positionals: at === 0 ? [action] : ["demo", action] }));
    const kinds = actions.map((action) => `${shape.name} ${action} ${argument.label}: ${kind(action)}`);
    return new Set(actions.map(kind)).size > 1 ? kinds : [`${shape.name} ${argument.label}: ${kind("demo")}`];
  });
}

function optionsOf(shape: Shape): readonly string[] {
  return Object.entries(shape.options).flatMap(([key, { takes }]) => {
    const wanted = completionsByOption({ shape, key, positionals: [] });
    const isNumber = takes !== "text" && takes !== "texts" && wanted.kind === "anything";
    return takes === "flag" ? [] : [`${shape.name} ${flagOf(key)}: ${isNumber ? "a number" : kindOf(wanted)}`];
  });
}

function kindOf(wanted: Completions): string {
  return wanted.kind === "words" ? wanted.words.slice(0, 8).join("|") || "nothing" : wanted.kind;
}

test("every argument of every command has a completer, as listed, including free text", async () => {
  const places = await Promise.all(Array.from(COMMANDS.values(), async (load) => placesOf(await load())));
  await expect(`${places.flat().join("\n")}\n`).toMatchFileSnapshot("./completers.txt");
});

test("session values come from a running daemon, and settings from the configuration", async () => {
  const decision = { ...approval("touch x"), choices: [{ label: "Yes, and more", answerable: true, takes_text: false }] };
  const sessions = [session("demo", "awaiting_approval", { decision }), session("idle", "idle")];
  await using daemon = await answeringByContract((route) => {
    if (route === "list") return { body: { sessions, problems: [], store: { state: "ok", message: null }, next: null } };
    if (route === "discover") return { body: { discovered: [{ name: "work", agent: "shell", reason: null }], unobservable: [] } };
    return route === "show" ? { body: sessions[0] } : null;
  });
  const config = join(daemon.home, "config.yaml");
  writeFileSync(config, "log:\n  level: warn\nprofiles:\n  careful:\n    agent: claude\n");
  const env = { TMPM_HOME: daemon.home, TMPM_CONFIG: config };
  const at = async (...words: readonly string[]) => (await complete(words, { shell: "zsh", env })).map((line) => line.split("\t")[0]);
  expect(await at("approve", "")).toEqual(["demo"]);
  expect(await at("approve", "demo", "--id", "")).toEqual([decision.id.slice(0, 8)]);
  expect(await complete(["answer", "demo", "--choice", ""], { shell: "fish", env })).toEqual(["1\tYes, and more"]);
  for (const words of [
    "turns demo",
    "cancel demo",
    "queue demo remove",
    "send demo --receipt",
    "uploads demo --rm",
    "token revoke",
    "adopt",
  ])
    expect([words, await at(...words.split(" "), "")]).toEqual([words, [expect.stringMatching(/^\S+$/)]]);
  expect(await at("new", "--profile", "")).toEqual(["careful"]);
  expect(await at("config", "unset", "")).toEqual(["log.level", "profiles.careful"]);
  expect(await at("config", "set", "log.l")).toEqual(["log.level"]);
  expect(await at("config", "set", "log.level", "de")).toEqual(["debug"]);
  expect(await at("config", "path", "")).toEqual([]);
  expect(await at("wait", "demo", "--for", "idle,bl")).toEqual(["idle,blocked"]);
  expect(await at("wait", "demo", "--for=idle,bl")).toEqual(["--for=idle,blocked"]);
});
