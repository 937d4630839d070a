import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { UsageAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { randomly } from "../packages/supervisor/test/fixtures/randomly.js";
import { eventually, type Fixture, fixture, gone } from "./fixture.js";

const BIN = join(import.meta.dirname, "scripted-claude");
const NAMES = ["left", "right"] as const;

interface Sum {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
}

/** The transcript of one session, and the usage in its complete lines. */
interface Transcript {
  readonly name: string;
  readonly path: string;
  readonly conversation: string;
  sum: Sum;
  unwritten: string;
}

test("kill -9 of the daemon at any moment neither loses nor duplicates usage", { timeout: 1_800_000 }, async () => {
  const random = randomly();
  await using w = await fixture({ PATH: `${BIN}:${process.env.PATH}` });
  const transcripts = await begin(w);

  /** An answer in one to three lines, in the format of Claude Code; the last line may be incomplete. */
  async function grow(each: Transcript): Promise<void> {
    const answer = { input: 1 + random.below(900), output: 1 + random.below(90) };
    const { requests, input, output } = each.sum;
    each.sum = { requests: requests + 1, input: input + answer.input, output: output + answer.output };
    each.unwritten += block(each, answer).repeat(1 + random.below(3));
    const cut = random.below(each.unwritten.length + 1);
    const begun = each.unwritten.slice(0, cut);
    each.unwritten = each.unwritten.slice(cut);
    await appendFile(each.path, begun);
  }

  const lives = random.rounds(5);
  for (let life = 0; life < lives; life++) {
    await w.json(["ls"]);
    const pid = await w.daemonPid();
    // At the end of a turn the daemon writes its counts.
    const sent = transcripts.map(({ name }) => w.api.send({ session: name, text: `life ${life}` }).catch(() => null));
    const deadline = Date.now() + random.below(2_500);
    while (Date.now() < deadline) {
      for (const each of transcripts) await grow(each);
      await pause(random.below(60));
    }
    process.kill(pid, "SIGKILL");
    await gone(pid);
    await Promise.all(sent);
  }

  await w.json(["ls"]);
  for (const each of transcripts) {
    await appendFile(each.path, each.unwritten);
    expect(each.sum.requests).toBeGreaterThan(lives);
    await eventually(async () => (same(await counted(w, each), each.sum) ? true : null)).catch(async () => {
      expect(await counted(w, each)).toEqual(each.sum);
    });
  }
  await w.stopDaemon();
  await w.json(["ls"]);
  for (const each of transcripts) expect(await counted(w, each)).toEqual(each.sum);
});

/** Two sessions in one directory, each with a conversation of its own. */
async function begin(w: Fixture): Promise<readonly Transcript[]> {
  const folder = join(w.env.HOME ?? "", ".claude/projects/-w");
  await mkdir(folder, { recursive: true });
  await w.json(["ls"]);
  const sessions = await Promise.all(NAMES.map((name) => w.api.create({ agent: "claude", name, cwd: w.dir })));
  const transcripts = sessions.map(({ name, conversation_id }) => {
    const conversation = conversation_id ?? "";
    return { name, conversation, path: join(folder, `${conversation}.jsonl`), sum: { requests: 0, input: 0, output: 0 }, unwritten: "" };
  });
  for (const { path } of transcripts) await writeFile(path, "");
  return transcripts;
}

function block({ conversation, sum }: Transcript, { input, output }: Pick<Sum, "input" | "output">): string {
  const number = `${conversation}_${sum.requests}`;
  const usage = { input_tokens: input, output_tokens: output };
  const message = { id: `msg_${number}`, model: "claude-opus-5-5", usage, content: [{ type: "text", text: "x".repeat(input) }] };
  return `${JSON.stringify({ type: "assistant", sessionId: conversation, requestId: `req_${number}`, message })}\n`;
}

async function counted({ api }: Fixture, { name }: Transcript): Promise<Sum> {
  const { groups }: UsageAnswer = await api.usage({ session: name });
  const models = groups.flatMap((group) => group.models);
  return models.reduce(
    (sum, { requests, tokens }) => ({
      requests: sum.requests + requests,
      input: sum.input + tokens.input,
      output: sum.output + tokens.output,
    }),
    { requests: 0, input: 0, output: 0 },
  );
}

function same(a: Sum, b: Sum): boolean {
  return a.requests === b.requests && a.input === b.input && a.output === b.output;
}
