import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addTokens, NO_TOKENS, TokenCounts } from "@tmpm/core";
import { bundledProgram } from "@tmpm/holder/testing";
import { expect, onTestFinished, test } from "vitest";
import { randomly } from "../fixtures/randomly.js";

const CONVERSATION = "11111111-1111-4111-8111-111111111111";

/** A block of an answer, as Claude Code writes it: each repeats the counts of the whole answer. */
function block(answer: number, tokens: TokenCounts): string {
  const usage = {
    input_tokens: tokens.input,
    cache_read_input_tokens: tokens.cache_read,
    cache_creation_input_tokens: tokens.cache_write,
    output_tokens: tokens.output,
  };
  const message = { id: `msg_${answer}`, model: "claude-opus-5-5", usage, content: [{ type: "text", text: "x".repeat(answer % 700) }] };
  return `${JSON.stringify({ type: "assistant", sessionId: CONVERSATION, requestId: `req_${answer}`, timestamp: "2026-11-28T01:00:00Z", message })}\n`;
}

test("a counter that is killed a hundred times, at any moment, loses and duplicates nothing", async () => {
  const random = randomly();
  const dir = mkdtempSync(join(tmpdir(), "tmpm-killed-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const program = await bundledProgram(join(import.meta.dirname, "..", "fixtures", "usage-counter.ts"));
  const transcript = join(dir, ".claude/projects/-w", `${CONVERSATION}.jsonl`);
  mkdirSync(join(dir, ".claude/projects/-w"), { recursive: true });
  writeFileSync(transcript, "");
  let expected: TokenCounts = NO_TOKENS;
  let answers = 0;
  let unwritten = "";

  function grow(): void {
    const tokens = {
      input: 1 + random.below(9),
      cache_read: random.below(900),
      cache_write: random.below(90),
      output: random.below(90),
      reasoning: 0,
    };
    expected = addTokens(expected, tokens);
    unwritten += block(answers, tokens).repeat(1 + random.below(3));
    answers += 1;
    // A line may be incomplete when it is read.
    const cut = random.below(unwritten.length + 1);
    appendFileSync(transcript, unwritten.slice(0, cut));
    unwritten = unwritten.slice(cut);
  }

  const start = (...more: readonly string[]) =>
    spawn(process.execPath, [program, dir, join(dir, "kept"), CONVERSATION, ...more], { stdio: ["ignore", "pipe", "inherit"] });

  const lives = random.rounds(5);
  for (let life = 0; life < lives; life++) {
    const counter = start();
    const ended = once(counter, "exit");
    let steps = random.below(60);
    for await (const seen of counter.stdout as AsyncIterable<Buffer>) {
      grow();
      steps -= seen.length;
      if (steps <= 0) counter.kill("SIGKILL");
    }
    expect((await ended)[1], `life ${life}`).toBe("SIGKILL");
  }
  appendFileSync(transcript, unwritten);
  const last = start("once");
  let said = "";
  for await (const piece of last.stdout as AsyncIterable<Buffer>) said += piece.toString();
  expect(answers).toBeGreaterThan(lives);
  expect(TokenCounts.parse(JSON.parse(said))).toEqual(expected);
}, 900_000);
