import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { daemonLog, redacted } from "../../src/log/daemon-log.js";
import { logFile } from "../../src/log/log-file.js";
import { repeats } from "../../src/log/repeats.js";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-log-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const missing = (count: number) => `missing ${count}\n`;

describe("the log file", () => {
  test("a full log file is rotated, and the total size stays bounded", () => {
    const dir = folder();
    const path = join(dir, "l");
    const file = logFile({ path, maxBytes: 100, keep: 2, missing });
    for (let line = 0; line < 100; line += 1) file.write(`line ${String(line).padStart(3, "0")} ……\n`);
    file.close();
    expect(readdirSync(dir).sort()).toEqual(["l", "l.1", "l.2"]);
    const lines = ["l.2", "l.1", "l"].flatMap((name) => readFileSync(join(dir, name), "utf8").trimEnd().split("\n"));
    const numbers = lines.map((line) => Number(/^line (\d{3}) ……$/.exec(line)?.[1]));
    expect(numbers).toEqual(numbers.map((_, index) => 99 - numbers.length + 1 + index));
    for (const name of readdirSync(dir)) {
      expect(statSync(join(dir, name)).size).toBeLessThanOrEqual(100);
      expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
    }
  });

  test("the log continues where it was, and a second writer loses nothing", () => {
    const path = join(folder(), "l");
    const first = logFile({ path, maxBytes: 40, keep: 1, missing });
    first.write("a\n");
    first.close();
    const second = logFile({ path, maxBytes: 40, keep: 1, missing });
    appendFileSync(path, "native words\n");
    for (let line = 0; line < 3; line += 1) second.write(`a line of text ${line}\n`);
    second.close();
    expect(readFileSync(`${path}.1`, "utf8") + readFileSync(path, "utf8")).toBe(
      "a\nnative words\na line of text 0\na line of text 1\na line of text 2\n",
    );
  });

  test("the number of unwritten lines is reported", () => {
    const dir = folder();
    const path = join(dir, "l");
    const file = logFile({ path, maxBytes: 10, keep: 1, missing });
    file.write("12345678\n");
    mkdirSync(`${path}.1`);
    file.write("lost\n");
    file.write("lost\n");
    rmdirSync(`${path}.1`);
    file.write("back\n");
    file.close();
    expect(readFileSync(path, "utf8")).toContain("back\n");
    expect(readFileSync(`${path}.1`, "utf8") + readFileSync(path, "utf8")).toContain("missing 2\n");
  });
});

describe("the log", () => {
  function logged(level: string, say: (log: ReturnType<typeof daemonLog>["log"]) => void): readonly Record<string, unknown>[] {
    const path = join(folder(), "l");
    const { log, keepIn } = daemonLog({ TMPM_LOG_LEVEL: level }, { stdout: false });
    keepIn(path);
    say(log);
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }

  test("each line is one JSON object, with any text", () => {
    const hostile = 'a\r\nb\u001b[31m\u2028{"level":60}\n';
    const lines = logged("info", (log) => {
      for (let line = 0; line < 25; line += 1) log.warn({ hostile, err: new Error(hostile) }, `said ${line} ${hostile}`);
    });
    expect(lines).toHaveLength(25);
    expect(lines[0]).toMatchObject({ level: 40, hostile });
  });

  test("no messages below the level, no long fields and no secrets are logged", () => {
    const secret = `tmpm_${"s".repeat(43)}`;
    const lines = logged("warn", (log) => {
      log.info("quiet");
      log.warn({ long: "x".repeat(10_000), deep: { list: Array.from({ length: 5_000 }, () => "y") } }, "long");
      log.error({ err: new Error(`with ${secret}`), header: `Bearer ${"t".repeat(43)}` }, secret);
    });
    expect(lines.map(({ msg }) => msg)).toEqual(["long", "tmpm_…"]);
    expect(JSON.stringify(lines[0]).length).toBeLessThan(12_000);
    expect(JSON.stringify(lines)).not.toMatch(/s{20}|t{20}/);
  });

  test("an unknown level is refused", () => {
    expect(() => daemonLog({ TMPM_LOG_LEVEL: "loud" })).toThrow(/TMPM_LOG_LEVEL/);
  });

  test("tokens are redacted wherever they occur", () => {
    const secret = "A".repeat(43);
    for (const line of [`x tmpm_${secret} y`, `authorization: Bearer ${secret}`, `cookie: tmpm_7777=${secret}`])
      expect(redacted(line)).not.toContain("AAAA");
    expect(redacted("/home/me/tmpm_notes and tmpm_1")).toBe("/home/me/tmpm_notes and tmpm_1");
  });
});

test("a repeated message is logged thirty times a minute, then counted", () => {
  let nowMs = 0;
  const { said } = repeats({ now: () => nowMs, most: 30 });
  const logged = Array.from({ length: 1_000 }, () => said("the same").say);
  expect(logged.filter(Boolean)).toHaveLength(30);
  expect(said("another")).toEqual({ say: true, unsaid: 0 });
  nowMs = 61_000;
  expect(said("the same")).toEqual({ say: true, unsaid: 970 });
});
