import { mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { parseText } from "@tmpm/core";
import { expect, test } from "vitest";
import { eventually, present } from "../../src/contract/expect.js";
import { specOf } from "../../src/contract/sessions.js";
import { argument } from "../../src/transport/argument.js";
import type { TmuxFixture } from "../tmux-fixture.js";
import { connected, openControl } from "./control-fixture.js";
import { rawReader } from "./raw-reader.js";
import { type Chance, pick, SCALE, SEED, seeded } from "./seeded.js";

/** Three hundred over all four cases at full scale. */
const TEXTS = 10 * SCALE;
const TITLES = SCALE < 10 ? 4 * SCALE : 8 * SCALE;
const NAMES = SCALE < 10 ? 3 * SCALE : 6 * SCALE;
const DIRECTORIES = SCALE < 10 ? 3 * SCALE : 6 * SCALE;
const CANARY = "canary";

const OPENINGS = [
  "",
  "x",
  ";",
  "'",
  '"',
  "\\",
  "}",
  "#{",
  "#[",
  "%if 1\n",
  "-t ",
  "\n",
  "\t",
  "';",
  '";',
  "\\;",
  ")",
  "é",
  "=a:",
  "~",
  "%0",
];
const COMMANDS = [
  `touch ${CANARY}`,
  `run-shell 'touch ${CANARY}'`,
  `run-shell "touch ${CANARY}"`,
  `new-window 'touch ${CANARY}'`,
  `if-shell 'touch ${CANARY}' ''`,
  `display-message -p '#(touch ${CANARY})'`,
  `pipe-pane 'touch ${CANARY}'`,
];
const WRAPPERS: readonly ((command: string) => string)[] = [
  (command) => `; ${command} ;`,
  (command) => `#(${command})`,
  (command) => `#{E:#(${command})}`,
  (command) => `#{s/x/#(${command})/:x}`,
  (command) => `$(${command})`,
  (command) => `\`${command}\``,
  (command) => `\n${command}\n`,
  (command) => `{ ${command} }`,
  (command) => `&& ${command} ||`,
  (command) => `| sh -c '${command}'`,
];

/** Would create the canary file if interpreted as a command or a format. */
function hostile(chance: Chance): string {
  return `${pick(OPENINGS, chance)}${pick(WRAPPERS, chance)(pick(COMMANDS, chance))}${pick(OPENINGS, chance)}`;
}

function several(count: number, chance: Chance): string[] {
  return Array.from({ length: count }, () => hostile(chance));
}

/** A canary is created in the directory of the process that ran the command. */
function expectNoCanary(fixture: TmuxFixture): void {
  const elsewhere = ["/", process.cwd(), process.env.HOME ?? "/"].flatMap((folder) => readdirSync(folder));
  const places = [...readdirSync(fixture.folder, { recursive: true }), ...elsewhere];
  expect(places.filter((path) => String(path).split("/").at(-1) === CANARY)).toEqual([]);
}

test(`${TEXTS} hostile texts arrive and do nothing (seed ${SEED})`, { timeout: 60_000 }, async () => {
  const fixture = await openControl();
  const reader = await rawReader(fixture, { id: "reader" });
  const bystander = await rawReader(fixture, { id: "bystander" });
  await connected(fixture);
  const texts = several(TEXTS, seeded(10)).map(parseText);
  await Promise.all(texts.map((text) => fixture.driver.paste(reader.pane.identity, text)));
  await reader.reaches(Buffer.byteLength(texts.join("")));
  expect((await reader.bytes()).toString()).toBe(texts.join(""));
  expect(bystander.size()).toBe(0);
  expectNoCanary(fixture);
});

test(`${TITLES} hostile titles are shown and do nothing (seed ${SEED})`, { timeout: 60_000 + 5000 * SCALE }, async () => {
  const fixture = await openControl();
  const { driver } = fixture;
  const titles = several(TITLES, seeded(11)).map((title) => title.replaceAll(/[\n\t]/g, " ").trim());
  const script =
    'for title in "$@"; do read -r _; printf "\\033]2;%s\\007\\033k%s\\033\\\\done%s\\n" "$title" "$title" "$((n=n+1))"; done; exec sleep 1000';
  const pane = await driver.create(specOf(fixture, { id: "titled", argv: ["/bin/sh", "-c", script, "sh", ...titles] }));
  await connected(fixture);
  for (const [index, title] of titles.entries()) {
    await driver.keys(pane.identity, ["Enter"]);
    const screen = await eventually(
      () => driver.capture(pane.identity),
      ({ lines }) => lines.includes(`done${index + 1}`),
    );
    expect(screen.title.trim()).toBe(title);
    const listed = present(await driver.list());
    expect(listed.map(({ identity }) => identity)).toEqual([pane.identity]);
    expect(listed[0]).toMatchObject({ tmuxName: "titled", sessionId: pane.sessionId, exit: null });
  }
  expectNoCanary(fixture);
});

test(`${NAMES} hostile names are rejected, and stay in their row when another program set them (seed ${SEED})`, {
  timeout: 60_000 + 5000 * SCALE,
}, async () => {
  const fixture = await openControl();
  const { driver } = fixture;
  const bystander = await rawReader(fixture, { id: "a" });
  await connected(fixture);
  const chance = seeded(12);
  for (const [index, name] of several(NAMES, chance).entries()) {
    const spec = { ...specOf(fixture, { id: `n${index}`, argv: ["sleep", "1000"] }), tmuxName: name };
    await expect(driver.create(spec), name).rejects.toMatchObject({ code: "INVALID_ARGUMENT", effect: "none" });
    // tmux interprets a name given by a user as a format.
    const literal = `f${index} ${name.replaceAll("#", "##")}`;
    const foreign = ["new-session", "-d", "-P", "-F", "#{session_id}", "-s", literal, "sleep 1000"];
    const id = (await fixture.tmux(...foreign.map(argument))).trim();
    const listed = present(await driver.list());
    expect(listed.map(({ sessionId }) => sessionId)).toEqual(expect.arrayContaining([bystander.pane.sessionId, null]));
    expect(listed.length).toBe(2);
    await fixture.tmux("kill-session", "-t", id);
  }
  expect(present(await driver.list()).map(({ identity }) => identity)).toEqual([bystander.pane.identity]);
  expect(bystander.size()).toBe(0);
  expectNoCanary(fixture);
});

test(`${DIRECTORIES} hostile directories are used and do nothing (seed ${SEED})`, { timeout: 60_000 + 5000 * SCALE }, async () => {
  const fixture = await openControl();
  const { driver } = fixture;
  for (const [index, name] of several(DIRECTORIES, seeded(13)).entries()) {
    const cwd = join(fixture.folder, `d${index}`, name.replaceAll("/", "_"));
    mkdirSync(cwd, { recursive: true });
    const pane = await driver.create({ ...specOf(fixture, { id: `d${index}`, argv: ["sleep", "1000"] }), cwd });
    await eventually(
      async () => readlinkSync(`/proc/${pane.pid}/cwd`),
      (found) => found === cwd,
    );
    await driver.kill(pane.identity, { graceMs: 5000 });
  }
  expectNoCanary(fixture);
});
