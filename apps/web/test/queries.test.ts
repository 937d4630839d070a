import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open, row } from "./moves.js";
import { type Bench, benches, noBrowser } from "./page-fixture.js";

const bench = benches();

/** Asks its terminal on Enter, then prints what it got before a Z: an answer to a query is typed before that. */
const PROGRAM = String.raw`
let got = "";
process.stdin.setRawMode(true).on("data", (bytes) => {
  got += bytes.toString("latin1");
  if (got === "\r") {
    got = "";
    process.stdout.write("\x1b[c\x1b[>c\x1b[5n\x1b[6n\x1b[?6n\x1b[?2004$p\x1b[4$p\x1b[18t\x1b]4;1;?\x07\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]12;?\x07\x1bP$qm\x1b\\\x1b[1;1Hasked");
  }
  if (got.endsWith("Z")) process.stdout.write("\r\nanswers " + JSON.stringify(got.slice(0, -1)).replaceAll("\\u001b", "^") + " end\r\n");
});
process.stdout.write("ready");
`;

async function start(b: Bench, { name, control }: { readonly name: string; readonly control: "Tmux" | "Pty" }): Promise<void> {
  const file = join(b.dir, "asks.cjs");
  await writeFile(file, PROGRAM);
  await b.api.create({ agent: "command", argv: [process.execPath, file], cwd: b.dir, name, control });
  await expect.poll(() => screenOf(b, name)).toContain("ready");
}

async function screenOf(b: Bench, name: string): Promise<string> {
  return (await b.api.capture({ session: name })).lines.join("");
}

async function answers(b: Bench, name: string): Promise<string> {
  await expect.poll(() => screenOf(b, name)).toContain(" end");
  return /answers "(.*)" end/.exec(await screenOf(b, name))?.[1] ?? "";
}

describe.skipIf(noBrowser !== null)("an open page", () => {
  test.each(["Tmux", "Pty"] as const)("leaves the queries of a program to its host: %s", async (control) => {
    await using b = await bench();
    await start(b, { name: "alone", control });
    await b.api.keys({ session: "alone", keys: ["Enter"] });
    await expect.poll(() => screenOf(b, "alone")).toContain("asked");
    await b.api.keys({ session: "alone", keys: ["Z"] });
    const alone = await answers(b, "alone");
    expect(alone).toContain("^[0n");

    await start(b, { name: "watched", control });
    const { page } = await b.seat();
    await page.waitForSelector(row("watched"));
    await open(page, "watched", "terminal");
    await page.waitForSelector(".xterm-rows >> text=ready");
    await page.click(".glass");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".xterm-rows >> text=asked");
    await page.keyboard.press("Z");
    expect(await answers(b, "watched")).toBe(alone);
  });
});
