import { copyFileSync, existsSync, mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually, present } from "../src/contract/expect.js";
import { create, idOf, receives, recorder, shows, specOf } from "../src/contract/sessions.js";
import { openTmux, type TmuxFixture } from "./tmux-fixture.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const seed = Number(process.env.TMPM_TEST_SEED ?? "1");

/** Each would create the canary file if interpreted as a command or a format. */
function payloads(canary: string): string[] {
  return [
    `#(touch ${canary})`,
    `#{E:#(touch ${canary})}`,
    `$(touch ${canary})`,
    `\`touch ${canary}\``,
    `'; touch ${canary}; '`,
    `"; touch ${canary}; "`,
    `; run-shell 'touch ${canary}'`,
    `';' run-shell 'touch ${canary}' ';`,
    `x;\nrun-shell 'touch ${canary}'`,
    `%if 1\nrun-shell 'touch ${canary}'\n%endif`,
    `} ; run-shell { touch ${canary} }`,
    "#{pid}",
    "#[fg=red]",
    "-R",
    "--",
    "%99\tfake",
  ];
}

/** All of them at full scale; else as many as the run has time for, different ones in each run. */
function sample(all: readonly string[]): string[] {
  const first = seed % all.length;
  return [...all.slice(first), ...all.slice(0, first)].slice(0, scale < 10 ? 4 * scale : all.length);
}

test("a program works in a directory of any name", { timeout: 60_000 }, async () => {
  const fixture = await openTmux();
  const canary = join(fixture.folder, "canary");
  const names = payloads("canary")
    .map((name) => name.replaceAll("/", "_"))
    .filter((name) => name !== "--");
  for (const [index, name] of sample([...names, "a b", 'it\'s "q"', "line\nbreak", "é 🙂", "*?[x]", "$HOME"]).entries()) {
    const cwd = join(fixture.folder, name);
    mkdirSync(cwd);
    const pane = await fixture.driver.create({ ...specOf(fixture, { id: `s${index}`, argv: ["sleep", "1000"] }), cwd });
    await eventually(
      async () => readlinkSync(`/proc/${pane.pid}/cwd`),
      (found) => found === cwd,
    );
  }
  expect(existsSync(canary)).toBe(false);
  expect(readdirSync(fixture.folder, { recursive: true }).filter((path) => String(path).endsWith("/canary"))).toEqual([]);
});

test("texts, arguments and environment values are never executed", { timeout: 60_000 }, async () => {
  const fixture = await openTmux();
  const canary = join(fixture.folder, "canary");
  const pane = await recorder(fixture, { id: "one" });
  for (const text of sample(payloads(canary))) await fixture.driver.paste(pane.identity, text);
  const expected = sample(payloads(canary)).join("");
  expect(await receives(fixture, { id: "one", expected })).toBe(expected);
  const spec = specOf(fixture, { id: "two", argv: fixture.programs.report(payloads(canary)) });
  const reporting = await fixture.driver.create({
    ...spec,
    columns: 200,
    env: { ...spec.env, CONTRACT_VALUE: payloads(canary).join("|") },
  });
  await shows(fixture, { pane: reporting, text: "run-shell" });
  expect(existsSync(canary)).toBe(false);
});

test("a title, window name or process name that imitates a row forges no row", async () => {
  const fixture = await openTmux();
  const { driver } = fixture;
  const hostile = join(fixture.folder, "p\ttmpm-pane\t%9\nq\u001b[31m");
  copyFileSync("/bin/sleep", hostile);
  const printing = await create(fixture, {
    id: "one",
    argv: [
      "/bin/sh",
      "-c",
      `printf '\\033]2;tmpm-cursor\\t9\\t9\\t1\\t9 %s\\007\\033kname\\033\\\\ready' '\`touch canary\`'; exec "$1" 1000`,
      "sh",
      hostile,
    ],
  });
  const screen = await shows(fixture, { pane: printing, text: "ready" });
  expect(screen.cursor).toEqual({ column: 5, row: 0, visible: true });
  const found = await eventually(
    async () => present(await driver.list()),
    (panes) => panes[0]?.command !== "sh",
  );
  expect(found.length).toBe(1);
  expect(found[0]?.command).toMatch(/^[ -~]+$/);
  expect(found[0]?.identity).toEqual(printing.identity);
});

test("a foreign session's hostile name and tag stay in their row", async () => {
  const fixture = await openTmux();
  await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  await fixture.openForeign("odd name\ttmpm-pane\t%7");
  await fixture.tmux("set-option", "-t", "=odd name\\ttmpm-pane\\t%7:", "@tmpm_id", "x\ttmpm-pane\n");
  const panes = present(await fixture.driver.list());
  expect(panes.length).toBe(2);
  expect(new Set(panes.map(({ sessionId }) => sessionId))).toEqual(new Set([idOf(fixture, "one"), null]));
});

test("lists, captures and texts are the same without UTF-8 in the environment", async () => {
  const fixture = await openTmux({ env: { PATH: process.env.PATH, LC_ALL: "POSIX" } });
  await checkUnicode(fixture);
  await checkUnicode(await openTmux({ env: {} }));
});

async function checkUnicode(fixture: TmuxFixture): Promise<void> {
  const pane = await create(fixture, { id: "one", argv: ["/bin/sh", "-c", "printf 'h\\303\\251 \\346\\274\\242'; exec sleep 1000"] });
  const screen = await shows(fixture, { pane, text: "h" });
  expect(screen.lines[0]).toBe("hé 漢");
  expect(present(await fixture.driver.list()).length).toBe(1);
}
