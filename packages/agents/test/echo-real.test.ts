import { describe, expect, test, test as testOf } from "vitest";
import type { Observation } from "../src/adapter.js";
import { shell } from "../src/index.js";
import { locate } from "../src/launch/locate.js";
import { openTerminal, type Terminal, type TerminalSpec } from "./terminal.js";

const BASH: TerminalSpec = { argv: ["bash", "--norc", "-i"], env: { PS1: "demo$ " } };
const DASH: TerminalSpec = { argv: ["dash", "-i"], env: { PS1: "demo$ " } };

interface Delivery {
  readonly text: string;
  /** The prompt at the cursor before the text is sent. */
  readonly prompt?: string;
}

/** Without dash, its cases are skipped and reported as such. */
const HAS_DASH = (await locate("dash", { env: process.env })) !== null;
if (!HAS_DASH) console.log("skipped: text sent to a real dash, for dash is not on PATH");

describe.each([
  ["bash", BASH, false],
  ["dash", DASH, !HAS_DASH],
] as const)("text sent to a real %s", (name, spec, missing) => {
  const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "0" } = process.env;
  let declared = Number(TMPM_TEST_SEED) + (name === "bash" ? 0 : 1);
  /** Each case in one shell, selected by the seed; in both at full scale. */
  const test = (title: string, run: () => Promise<void>) => {
    if (Number(TMPM_TEST_SCALE) < 10 && declared++ % 2 === 1) return;
    testOf(title, ({ skip }) => (missing ? skip(`${name} is not on PATH`) : run()));
  };

  test("a line arrives, waits, and is submitted by Enter only", async () => {
    await using terminal = openTerminal(spec);
    const { arrived, submitted } = await deliver(terminal, { text: "echo it-works" });
    expect(arrived).toBe("the end of the text is at the cursor");
    expect(submitted).toBe("the cursor moved to another row");
    await terminal.until(({ lines }) => lines.includes("it-works"));
  });

  test("a line that ends exactly at the edge arrives and is submitted", async () => {
    await using terminal = openTerminal({ ...spec, columns: 40 });
    await deliver(terminal, { text: `: ${"e".repeat(40 - "demo$ : ".length)}` });
    await deliver(terminal, { text: `: ${"e".repeat(80 - "demo$ : ".length)}` });
  });

  test("wide characters arrive and are submitted, also when wrapped at the edge", async () => {
    await using terminal = openTerminal({ ...spec, env: { ...spec.env, LC_ALL: "C.UTF-8" }, columns: 41 });
    for (const text of [`: ${"漢字かな".repeat(10)}`, ": fertig 🎉👍", ": naïve Straße — ok", ": ｆｕｌｌ"])
      await deliver(terminal, { text });
  });

  test("a line of several rows arrives at the bottom of a full screen", async () => {
    await using terminal = openTerminal({ ...spec, columns: 40, rows: 8 });
    await deliver(terminal, { text: "seq 1 20" });
    await terminal.until(({ lines }) => lines.includes("20"));
    await deliver(terminal, { text: `: ${"word ".repeat(30)}end` });
    await deliver(terminal, { text: "echo once-more" });
  });

  test("`clear` is submitted although the cursor returns to the top", async () => {
    await using terminal = openTerminal({ ...spec, env: { ...spec.env, TERM: "screen" } });
    const { submitted } = await deliver(terminal, { text: "clear" });
    expect(submitted).not.toBeNull();
    await deliver(terminal, { text: "clear" });
  });

  test("an unfinished quote is submitted: the shell prompts for more", async () => {
    await using terminal = openTerminal(spec);
    await deliver(terminal, { text: "echo 'not" });
    await deliver(terminal, { text: "finished'", prompt: ">" });
    await terminal.until(({ lines }) => lines.includes("finished"));
  });

  test("a repeated text is distinguished from the one above it", async () => {
    await using terminal = openTerminal(spec);
    await deliver(terminal, { text: "echo same" });
    const before = await terminal.until(atPrompt);
    expect(shell.arrived({ before, now: terminal.look(), text: "echo same" })).toBeNull();
    await deliver(terminal, { text: "echo same" });
  });

  test("text that looks like the prompt is not read as the prompt", async () => {
    await using terminal = openTerminal(spec);
    const before = await terminal.until(atPrompt);
    expect(shell.arrived({ before, now: terminal.look(), text: "$" })).toBeNull();
    await deliver(terminal, { text: "$" });
  });

  test("the shell counts as working while a program is in the foreground", async () => {
    await using terminal = openTerminal(spec);
    await deliver(terminal, { text: "sleep 1000" });
    const working = await terminal.until((screen) => screen.foreground === false && shell.read(screen));
    expect(working).toMatchObject({ state: "working", evidence: ["sleep runs in the foreground"] });
    terminal.keys("C-c");
    await terminal.until((screen) => shell.read(screen).state === "idle");
  });

  test("`exit` is submitted once the shell ends", async () => {
    await using terminal = openTerminal(spec);
    await deliver(terminal, { text: "exit" });
    const screen = await terminal.until((now) => now.dead && now);
    expect(shell.read(screen)).toMatchObject({ state: "exited", confidence: 1 });
  });
});

describe("text sent to a real bash as one paste", () => {
  test("two lines wait together and are submitted together", async () => {
    await using terminal = openTerminal(BASH);
    await deliver(terminal, { text: "echo one\necho two" });
    await terminal.until(({ lines }) => lines.includes("one") && lines.includes("two"));
  });

  test("text ending in newlines waits too", async () => {
    await using terminal = openTerminal(BASH);
    await deliver(terminal, { text: "echo trailing\n\n" });
    await terminal.until(({ lines }) => lines.includes("trailing"));
  });

  test("100 kB in one line arrive and are submitted", async () => {
    await using terminal = openTerminal(BASH);
    const words = Array.from({ length: 16_667 }, (_, i) => String(i).padStart(5, "0")).join(" ");
    await deliver(terminal, { text: `echo ${words} | wc -c` });
    await terminal.until(({ lines }) => lines.includes("100002"));
  });

  test("tabs and trailing blanks do not hide the text", async () => {
    await using terminal = openTerminal(BASH);
    await deliver(terminal, { text: ": tab\there  " });
  });

  test("neither a two-line prompt nor a long right edge hides it", async () => {
    await using terminal = openTerminal({ ...BASH, env: { PS1: "\\[\\e[s\\e[70Gright\\e[u\\]demo$ " } });
    await deliver(terminal, { text: "echo beside" });
  });
});

describe.skipIf(!HAS_DASH)("text sent to a real dash, line by line", () => {
  test("two lines arrive although the first one runs at once", async () => {
    await using terminal = openTerminal(DASH);
    await deliver(terminal, { text: "echo one\necho two" });
    await terminal.until(({ lines }) => lines.includes("two"));
  });

  test("a line that already ran has arrived", async () => {
    await using terminal = openTerminal(DASH);
    await deliver(terminal, { text: "echo ran\n" });
  });
});

/** Types text, waits for evidence that it arrived and stays unsent, presses Enter, waits for evidence that it left. */
async function deliver(terminal: Terminal, { text, prompt = "demo$" }: Delivery): Promise<{ arrived: string; submitted: string }> {
  const before = await terminal.until((screen) => atPrompt(screen, prompt));
  terminal.paste(text);
  const arrived = await terminal.until((now) => shell.arrived({ before, now, text }));
  const typed = await settled(terminal);
  expect(shell.arrived({ before, now: typed, text })).toBe(arrived);
  expect(shell.submitted({ typed, now: terminal.look(), text })).toBeNull();
  terminal.keys("Enter");
  const submitted = await terminal.until((now) => shell.submitted({ typed, now, text }));
  return { arrived, submitted };
}

function atPrompt(screen: Observation, prompt = "demo$"): Observation | null {
  const row = screen.lines[screen.cursor.row] ?? "";
  return row.slice(0, screen.cursor.column).trimEnd().endsWith(prompt) && screen.foreground === true ? screen : null;
}

/** Two equal observations in a row. */
async function settled(terminal: Terminal): Promise<Observation> {
  let last = terminal.look();
  return terminal.until((now) => {
    const same = JSON.stringify(now) === JSON.stringify(last);
    last = now;
    return same && now;
  });
}
