import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../fixture.js";
import { prompt } from "../../mock-model/script.js";
import { check, type Desk } from "./desk.js";
import { clearCommand, goesOn } from "./going-on.js";
import type { Host } from "./judge-fixture.js";
import { firstPromptAtLoad, restartedAfterKill, resumedAtLoad } from "./launches.js";
import { limited } from "./limited.js";
import { typesMeanwhile } from "./meanwhile.js";
import { changesModel } from "./model-change.js";
import { refusesFolder, trustsFolder } from "./trust.js";

/** An event in a session, and a user's expectation. `act` throws Wrong if it is not met. */
export interface Circumstance {
  readonly name: string;
  /** The agents in which it can occur; default all. */
  readonly agents?: readonly string[];
  /** The hosts on which it can occur; default all. */
  readonly hosts?: readonly Host[];
  act(desk: Desk): Promise<void>;
}

/** A pixel. */
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

export const CIRCUMSTANCES: readonly Circumstance[] = [
  { name: "approve right after wait", act: approves },
  { name: "deny right after wait", act: denies },
  { name: "answer right after wait", agents: ["claude", "gemini", "opencode"], act: answers },
  { name: "completed, with its words", act: completes },
  { name: "failed, when the model fails", act: fails },
  { name: "cancelled", act: cancels },
  { name: "interrupted", act: interrupts },
  { name: "text of a prompt sent while it works", act: queuesWhileWorking },
  { name: "overloaded model (529)", act: (desk) => givesUp(desk, 529) },
  { name: "too many requests (429)", act: (desk) => givesUp(desk, 429) },
  { name: "cleared by its command", act: clears },
  { name: "an image attached", act: attaches },
  { name: "a usage limit", act: limited },
  { name: "another model while it runs", act: changesModel },
  { name: "a person types meanwhile", hosts: ["tmux"], act: typesMeanwhile },
  { name: "a first prompt of 60 kB at load", act: firstPromptAtLoad },
  { name: "resumed at load, after its conversation was cleared", act: resumedAtLoad },
  { name: "restarted after it was killed", hosts: ["tmux"], act: restartedAfterKill },
  { name: "its folder trusted, with a prompt waiting", agents: ["claude", "codex", "gemini"], hosts: ["tmux", "pty"], act: trustsFolder },
  { name: "its folder not trusted", agents: ["claude", "codex"], hosts: ["tmux", "pty"], act: refusesFolder },
];

async function approves(desk: Desk): Promise<void> {
  const { file, turn } = await asksFor(desk, "was allowed");
  const { code, stdout, stderr } = await desk.run(["approve", desk.session]);
  check(code === 0, `approve exited ${code}: ${stdout}${stderr}`);
  const { outcome, final_message } = await desk.ended(turn);
  check(outcome === "completed", `the turn ended ${outcome}`);
  check(existsSync(file), "the command was not run");
  check(final_message === "was allowed", `its words are ${JSON.stringify(final_message)}`);
}

async function denies(desk: Desk): Promise<void> {
  const { file, turn } = await asksFor(desk, "was refused");
  const { code, stdout, stderr } = await desk.run(["deny", desk.session]);
  check(code === 0, `deny exited ${code}: ${stdout}${stderr}`);
  await desk.ended(turn);
  await desk.reaches("idle");
  check(!existsSync(file), "the command was run");
}

async function asksFor(desk: Desk, say: string) {
  const file = join(desk.agentFixture.dir, `${say.replaceAll(" ", "-")}-${desk.round}`);
  const turn = await desk.send(prompt({ run: `touch ${file}`, say }));
  await desk.reaches("awaiting_approval");
  return { file, turn };
}

async function answers(desk: Desk): Promise<void> {
  const turn = await desk.send(prompt({ ask: { question: "Which colour?", options: ["Red", "Blue"] }, say: "was answered" }));
  await desk.reaches("awaiting_input");
  const { state } = await desk.turn(turn.id);
  check(state !== "ended", "the turn ended while it asked");
  const { code, stdout, stderr } = await desk.run(["answer", desk.session, "--choice", "2"]);
  check(code === 0, `answer exited ${code}: ${stdout}${stderr}`);
  const { outcome, final_message } = await desk.ended(turn);
  check(outcome === "completed" && final_message === "was answered", `${outcome} with ${JSON.stringify(final_message)}`);
}

async function completes(desk: Desk): Promise<void> {
  const words = `answer number ${desk.round}`;
  const { code, stdout } = await desk.run(["send", desk.session, "--follow", prompt({ say: words, waitMs: 500 })]);
  check(code === 0 && stdout === `${words}\n`, `exit ${code}, words ${JSON.stringify(stdout)}`);
}

async function fails(desk: Desk): Promise<void> {
  const { outcome, code } = await desk.ended(await desk.send(prompt({ status: 400 })));
  check(outcome === "failed", `the turn ended ${outcome} (${code})`);
  await goesOn(desk);
}

async function cancels(desk: Desk): Promise<void> {
  const turn = await desk.send(prompt({ hang: true }));
  await desk.reaches("working");
  const { code, stderr } = await desk.run(["cancel", desk.session]);
  check(code === 0, `cancel exited ${code}: ${stderr}`);
  const { outcome } = await desk.ended(turn);
  check(outcome === "cancelled", `the turn ended ${outcome}`);
  await goesOn(desk);
}

async function interrupts(desk: Desk): Promise<void> {
  const turn = await desk.send(prompt({ dripMs: 60_000, say: "one two three four five six seven eight nine ten ".repeat(8) }));
  await desk.reaches("working");
  const { code, stderr } = await desk.run(["interrupt", desk.session]);
  check(code === 0, `interrupt exited ${code}: ${stderr}`);
  const { outcome } = await desk.ended(turn);
  check(outcome === "cancelled", `the turn ended ${outcome}`);
  await goesOn(desk);
}

async function queuesWhileWorking(desk: Desk): Promise<void> {
  const first = await desk.send(prompt({ waitMs: 15_000, say: "the first words" }));
  await desk.reaches("working");
  const second = await desk.send(prompt({ say: "the second words" }));
  const turns = [await desk.ended(first), await desk.ended(second)];
  const outcomes = turns.map(({ outcome, final_message, note }) => ({ outcome, final_message, note }));
  check(!outcomes.some(({ final_message }) => final_message === null), `they ended with ${JSON.stringify(outcomes)}`);
}

async function givesUp(desk: Desk, status: number): Promise<void> {
  const turn = await desk.send(prompt({ status }));
  const failed = await eventually(async () => ((await desk.turn(turn.id)).state === "ended" ? true : null), 10_000).catch(() => false);
  if (!failed) await desk.run(["cancel", desk.session]);
  const { outcome } = await desk.ended(turn);
  check(outcome === (failed ? "failed" : "cancelled"), `the turn ended ${outcome}`);
  await goesOn(desk);
}

async function clears(desk: Desk): Promise<void> {
  const { code, stderr } = await desk.run(["send", desk.session, "--as-command", clearCommand(desk.agent)]);
  check(code === 0, `the command exited ${code}: ${stderr}`);
  await desk.reaches("idle");
  const asked = prompt({ say: `cleared ${desk.round}` });
  const { final_message } = await desk.ended(await desk.send(asked));
  check(final_message === `cleared ${desk.round}`, `the words after it are ${JSON.stringify(final_message)}`);
  const newest = desk.agentFixture.model.exchanges.findLast(({ conversation }) => conversation.tools.length > 0);
  const prompts = newest?.conversation.userTexts.filter((text) => text.includes("mock: ")) ?? [];
  check(prompts.length === 1, `the model was given ${prompts.length} prompts`);
}

async function attaches(desk: Desk): Promise<void> {
  const image = join(desk.agentFixture.dir, "pixel.png");
  await writeFile(image, PNG);
  const text = `What is in picture ${desk.round}?`;
  const { code, stdout, stderr } = await desk.run(["send", desk.session, "--attach", image, text]);
  check(code === 0, `send exited ${code}: ${stdout}${stderr}`);
  const given = () =>
    desk.agentFixture.model.exchanges.some(({ conversation }) => conversation.userTexts.some((each) => each.includes(text)));
  await eventually(async () => (given() ? true : null)).catch(() => check(false, "the text did not arrive"));
  await desk.reaches("idle");
}
