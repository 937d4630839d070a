import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Link, type LinkEvent, type LinkOptions, link } from "../src/control/link.js";
import { arrivals } from "../src/transport/arrivals.js";
import { TMUX } from "./tested-tmux.js";
import { PATIENT } from "./tmux-fixture.js";

const run = promisify(execFile);

interface Bench {
  readonly link: Link;
  readonly events: LinkEvent[];
  tmux(...argv: string[]): Promise<string>;
  up(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function bench(options: Partial<LinkOptions> = {}): Promise<Bench> {
  const dir = await mkdtemp(join(tmpdir(), "tmpm-link-"));
  const socket = join(dir, "s");
  const tmux = async (...argv: string[]) => (await run(TMUX, ["-u", "-f", "/dev/null", "-S", socket, ...argv])).stdout;
  await tmux("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "cat");
  const made = link({
    program: TMUX,
    arguments: ["-u", "-f", "/dev/null", "-S", socket],
    env: { PATH: process.env.PATH ?? "", HOME: dir },
    deadlines: PATIENT,
    nonce: randomUUID,
    monotonic: () => performance.now(),
    arrivals: arrivals(),
    ...options,
  });
  const events: LinkEvent[] = [];
  made.onEvent((event) => events.push(event));
  return {
    link: made,
    events,
    tmux,
    async up() {
      made.serverRuns();
      await expect.poll(() => made.isUp(), { interval: 5 }).toBe(true);
    },
    async [Symbol.asyncDispose]() {
      await made.close();
      await tmux("kill-server").catch(() => undefined);
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

describe("control link", () => {
  test("a request with its own end marker gets no other, and an early failure does not change the answers of later ones", async () => {
    await using b = await bench();
    await b.up();
    const nested = (...commands: string[]) => [["if-shell", "-F", "1", commands.join(" ; ")]] as const;
    const [shown, failed, wrong, after] = await Promise.all([
      b.link.ask({ kind: "mutate", ends: ["one-end"], commands: nested("display-message -p a", "display-message -p one-end") }),
      b.link.ask({ kind: "mutate", ends: ["two-end"], commands: nested("paste-buffer -b none", "display-message -p two-end") }),
      b.link.ask({ kind: "read", ends: ["three-end"], commands: [["no-such-command"], ["display-message", "-p", "three-end"]] }),
      b.link.ask({ kind: "read", commands: [["display-message", "-p", "after"]] }),
    ]);
    expect(shown).toEqual({ kind: "answered", output: "a\none-end\n" });
    expect(failed.kind).not.toBe("answered");
    expect(wrong.kind).not.toBe("answered");
    expect(after).toEqual({ kind: "answered", output: "after\n" });
  });

  test("output of the word null belongs to the answer", async () => {
    await using b = await bench();
    await b.up();
    const commands = ["before", "null", "after"].map((word) => ["display-message", "-p", word] as const);
    expect(await b.link.ask({ kind: "read", commands })).toEqual({ kind: "answered", output: "before\nnull\nafter\n" });
  });

  test("answers many requests at once, each with its own output", async () => {
    await using b = await bench();
    await b.up();
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => b.link.ask({ kind: "read", commands: [["display-message", "-p", `n${index}`]] })),
    );
    expect(replies).toEqual(replies.map((_, index) => ({ kind: "answered", output: `n${index}\n` })));
  });

  test("a failing command ends only its request, with the output before it", async () => {
    await using b = await bench();
    await b.up();
    const [before, failed, after] = await Promise.all([
      b.link.ask({ kind: "read", commands: [["display-message", "-p", "one"]] }),
      b.link.ask({
        kind: "read",
        commands: [
          ["display-message", "-p", "kept"],
          ["has-session", "-t", "=nobody"],
          ["display-message", "-p", "never"],
        ],
      }),
      b.link.ask({ kind: "read", commands: [["display-message", "-p", "two"]] }),
    ]);
    expect(before).toEqual({ kind: "answered", output: "one\n" });
    expect(failed).toMatchObject({ kind: "refused", refusal: { kind: "no_session" }, output: "kept\n" });
    expect(after).toEqual({ kind: "answered", output: "two\n" });
  });

  test("passes quotes, semicolons, dollars, braces, percent signs and line feeds unchanged", async () => {
    await using b = await bench();
    await b.up();
    for (const word of ["a;", "it's", '"$HOME"', "{x}", "%end 1 2 3", "~", "\\", "two\nlines", "~root\n", "~)\n", "#{l:ü}"]) {
      await b.link.ask({ kind: "mutate", commands: [["set-buffer", "-b", "w", "--", word]] });
      expect(await b.tmux("show-buffer", "-b", "w")).toBe(word);
    }
  });

  test("is notified at once of a pane that dies in another session", async () => {
    await using b = await bench();
    await b.tmux("set-option", "-g", "remain-on-exit", "on");
    await b.up();
    // tmux with libutempter may miss the end of a program, so one of several has to be reported.
    for (let index = 0; index < 5; index++) await b.tmux("new-session", "-d", "-s", `short${index}`, "sh", "-c", "read x");
    const from = b.events.length;
    for (let index = 0; index < 5; index++) await b.tmux("send-keys", "-t", `=short${index}:`, "Enter");
    const hasOutput = () => b.events.slice(from).some((event) => event.type === "item" && event.item.type === "output");
    await expect.poll(hasOutput, { interval: 5 }).toBe(true);
  });

  test("reconnects when its client is killed, and reports the gap", async () => {
    await using b = await bench();
    await b.up();
    const pid = Number((await b.tmux("list-clients", "-F", "#{client_pid}")).trim());
    process.kill(pid, "SIGKILL");
    await expect.poll(() => b.events.some(({ type }) => type === "down"), { interval: 5 }).toBe(true);
    const again = () => {
      b.link.serverRuns();
      return b.link.isUp();
    };
    await expect.poll(again, { interval: 5 }).toBe(true);
  });

  test("never starts a server", async () => {
    await using b = await bench();
    await b.tmux("kill-server");
    b.link.serverRuns();
    await expect(b.tmux("list-sessions")).rejects.toThrow();
    expect(b.link.isUp()).toBe(false);
  });

  test("gives up a client that never attaches", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tmpm-link-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const program = join(folder, "tmux");
    await writeFile(program, "#!/bin/sh\nexec sleep 1000\n", { mode: 0o755 });
    await using b = await bench({ program, deadlines: { read: 50, mutate: 50 } });
    b.link.serverRuns();
    await b.link.attempted();
    expect(b.link.isUp()).toBe(false);
  });

  test("leaves no client when closed", async () => {
    await using b = await bench();
    await b.up();
    await b.link.close();
    await expect.poll(async () => (await b.tmux("list-clients")).trim()).toBe("");
  });
});
