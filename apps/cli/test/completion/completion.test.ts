import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands.js";
import { complete } from "../../src/completion/complete.js";
import { HERE } from "../../src/fleet/here.js";
import { flagOf } from "../../src/parse/flag.js";
import { answeringByContract } from "../contract/answering-by-contract.js";
import { answering, errorAnswer } from "../fixtures/answering.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const noDaemon = { TMPM_HOME: "/nowhere/at/all", TMPM_CONFIG: "/nowhere/config.yaml" };

const sessions = [
  sessionAnswer({ name: "web", task: "the page" }),
  sessionAnswer({ name: "api", agent: "claude" }),
  sessionAnswer({ name: "old", state: "stopped", status: "Stopped" }),
];

/** The candidates, without their descriptions. */
async function values(words: readonly string[], { shell = "zsh", env = noDaemon }: { shell?: string; env?: Record<string, string> } = {}) {
  return (await complete(words, { shell, env })).map((line) => line.split("\t")[0]);
}

describe("completion, without a daemon", () => {
  test("offers the verbs, with their summaries, and starts nothing", async () => {
    expect(await values([""])).toEqual([...COMMANDS.keys()]);
    expect(await values(["c"], { shell: "bash" })).toEqual([...COMMANDS.keys()].filter((verb) => verb.startsWith("c")));
    expect(await complete(["atta"], { shell: "fish", env: noDaemon })).toEqual(["attach\tShow a session in this terminal"]);
    expect(await values(["help", "atta"])).toEqual(["attach"]);
    expect(await values(["nosuch", ""])).toEqual([]);
  });

  test("offers every option of every command, except those already given", async () => {
    for (const [verb, load] of COMMANDS) {
      const on = HERE.has(verb) ? [] : ["on"];
      const flags = [...Object.keys((await load()).options), ...on].map(flagOf);
      expect([verb, await values([verb, "--"])]).toEqual([verb, [...flags, "--json", "--help"]]);
    }
    expect(await values(["ls", "--all", "--a"])).toEqual(["--archived"]);
  });

  test("offers states, hosts and actions, and leaves files to the shell", async () => {
    expect(await values(["wait", "web", "--for", "awaiting_"])).toEqual(["awaiting_approval", "awaiting_input"]);
    expect(await values(["new", "--host=p"])).toEqual(["--host=pty"]);
    expect(await values(["new", "--host", "=", "p"], { shell: "bash" })).toEqual(["pty"]);
    expect(await values(["daemon", "st"])).toEqual(["status", "start", "stop"]);
    expect(await values(["new", "--prompt-file", ""])).toEqual([":files"]);
    expect(await values(["new", "--cwd", ""])).toEqual([":directories"]);
    expect(await values(["new", "--", "npm", ""])).toEqual([":files"]);
    expect(await values(["new", "--name", ""])).toEqual([]);
  });

  test("offers nothing if the daemon is missing, refuses or returns an unknown response", async () => {
    expect(await values(["show", ""])).toEqual([]);
    await using refusing = await answering(() => errorAnswer(503, { code: "SHUTTING_DOWN", message: "no" }));
    expect(await values(["show", ""], { env: { TMPM_HOME: refusing.home } })).toEqual([]);
  });
});

test("completion queries a running daemon for sessions, agents and projects", async () => {
  await using daemon = await answering(() => ({ body: { sessions, problems: [], store: { state: "ok", message: null }, next: null } }));
  const env = { TMPM_HOME: daemon.home };
  expect(await complete(["show", "w"], { shell: "fish", env })).toEqual(["web\tidle, shell: the page"]);
  expect(await values(["attach", ""], { env })).toEqual(["web", "api"]);
  expect(await values(["resume", ""], { env })).toEqual(["old"]);
  expect(await values(["stop", "web", ""], { env })).toEqual(["api"]);
  await using example = await answeringByContract();
  expect(await values(["ls", "--project", ""], { env: { TMPM_HOME: example.home } })).not.toEqual([]);
  expect(await values(["new", "--agent", "ge"], { env: { TMPM_HOME: example.home } })).toEqual(["gemini"]);
});
test("addresses are completed if there are other machines, also word by word as in bash", async () => {
  const listed = [
    { ...sessionAnswer({ name: "api" }), node: null, was: null },
    { ...sessionAnswer({ name: "web" }), node: "build1", was: null },
    { ...sessionAnswer({ name: "old" }), node: "build2", was: "idle" },
  ];
  await using daemon = await answering(() => ({ body: { sessions: listed, problems: [], complete: false, nodes: [], next: null } }));
  mkdirSync(join(daemon.home, "nodes"));
  writeFileSync(join(daemon.home, "nodes", "build1.json"), "{}");
  const env = { TMPM_HOME: daemon.home };
  expect(await values(["show", ""], { env })).toEqual(["api", "build1:web"]);
  expect(await values(["show", "build1:"], { env })).toEqual(["build1:web"]);
  expect(await values(["show", "build1", ":"], { shell: "bash", env })).toEqual(["web"]);
  expect(await values(["show", "build1", ":", "w"], { shell: "bash", env })).toEqual(["web"]);
});
