import type { Effect } from "@tmpm/core";
import { readRefusal, unclearError, unresponsive } from "../failure.js";
import type { Arrivals } from "../transport/arrivals.js";
import type { Command, Reply, Request } from "../transport/channel.js";
import { commandLine } from "./command-line.js";
import { type ControlItem, controlParser } from "./parser.js";
import { type SupervisedClient, supervisedClient } from "./supervised-client.js";

export interface ConnectionOptions {
  /** The whole command of the client. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly deadlines: { readonly read: number; readonly mutate: number };
  readonly nonce: () => string;
  readonly onItem: (item: Exclude<ControlItem, { type: "block" }>) => void;
  /** The server answered a request after its deadline. */
  readonly onLate: () => void;
  readonly arrivals: Pick<Arrivals, "depart">;
}

/** One control-mode client. Requests are pipelined, and those of one tick share one write. */
export interface Connection {
  /** Resolves when the client is attached; false when it never attached. */
  readonly attached: Promise<boolean>;
  readonly closed: Promise<void>;
  isOpen(): boolean;
  /** `ran` is called when all its commands have run, before any later message of the server is processed. */
  ask(request: Request, options?: { readonly ran?: () => void }): Promise<Reply>;
  /** Idempotent. Pending requests end as unanswered. */
  close(): void;
}

interface Waiting {
  readonly effect: Effect;
  /** Printed after the last command, if none failed; null when the end itself shows success. */
  readonly done: string | null;
  /** Printed in any case; null when one of the request's own words or a failure is the end. */
  readonly end: string | null;
  readonly ends: readonly string[];
  readonly output: string[];
  complete: boolean;
  failure: string | null;
  late: boolean;
  readonly ran: () => void;
  readonly answer: (reply: Reply) => void;
}

export function connection(options: ConnectionOptions): Connection {
  const client = supervisedClient(options.argv, options.env);
  const parser = controlParser();
  const waiting: Waiting[] = [];
  const batch = batchedWriter(client);
  let open = true;
  let attach: (attached: boolean) => void = () => undefined;
  const attached = new Promise<boolean>((resolve) => {
    attach = resolve;
  });

  client.output.on("data", (chunk: Buffer) => {
    for (const item of parser.feed(chunk)) take(item);
  });
  client.output.once("end", () => {
    open = false;
  });
  const closed = client.ended.then(() => {
    open = false;
    attach(false);
    const error = (effect: Effect) => unresponsive("the connection to tmux ended before the answer", effect);
    for (const { answer, effect } of waiting.splice(0)) answer({ kind: "unanswered", error: error(effect) });
  });

  function take(item: ControlItem): void {
    if (item.type !== "block") {
      if (item.type === "exit") client.end();
      options.onItem(item);
      return;
    }
    // The first block is that of the attaching command itself.
    if (!item.ours) attach(item.ok);
    else answerWith(item);
  }

  function answerWith(block: Extract<ControlItem, { type: "block" }>): void {
    const [first] = waiting;
    if (first === undefined || !collect(first, block)) return;
    waiting.shift();
    if (first.late) options.onLate();
    first.answer(replyOf(first));
  }

  function ask(request: Request, { ran }: { readonly ran?: () => void } = {}): Promise<Reply> {
    const effect = request.kind === "mutate" ? "unknown" : "none";
    if (!open) return Promise.resolve({ kind: "unanswered", error: unresponsive("the connection to tmux is closed", "none") });
    const { lines, done, end } = framed(request, { nonce: options.nonce, alsoDone: ran !== undefined });
    batch(lines);
    return new Promise((resolve) => {
      const ms = options.deadlines[request.kind];
      const timer = setTimeout(() => {
        made.late = true;
        resolve({ kind: "unanswered", error: unresponsive(`tmux did not answer within ${ms} ms`, effect) });
      }, ms);
      const answer = (reply: Reply) => {
        clearTimeout(timer);
        resolve(reply);
      };
      const made: Waiting = {
        effect,
        done,
        end,
        ends: request.ends ?? [],
        output: [],
        complete: false,
        failure: null,
        late: false,
        ran: ran ?? (() => undefined),
        answer,
      };
      waiting.push(made);
    });
  }

  return { attached, closed, isOpen: () => open, ask, close: () => options.arrivals.depart({ leave: client.end, gone: closed }) };
}

/** Each additional command costs as much as a small query. */
function framed(
  { kind, commands, ends }: Request,
  { nonce, alsoDone }: { readonly nonce: () => string; readonly alsoDone: boolean },
): { readonly lines: string; readonly done: string | null; readonly end: string | null } {
  if (ends !== undefined && !alsoDone) return { lines: commandLine(commands), done: null, end: null };
  const word = `tmpm-${nonce()}`;
  const done = kind === "mutate" || alsoDone ? `${word}-done` : null;
  const end = `${word}-end`;
  const all = done === null ? commands : [...commands, printed(done)];
  return { lines: `${commandLine(all)}${commandLine([printed(end)])}`, done, end };
}

function printed(word: string): Command {
  return ["display-message", "-p", word];
}

/** Adds one block to its request; true when that was the last. */
function collect(request: Waiting, block: Extract<ControlItem, { type: "block" }>): boolean {
  const { ok, text } = block;
  if (request.end === null) return collectUnframed(request, block);
  if (ok && text === `${request.end}\n`) {
    request.complete ||= request.done === null && request.failure === null;
    return true;
  }
  if (ok && request.done !== null && text === `${request.done}\n`) {
    request.complete = true;
    request.ran();
  } else if (ok) request.output.push(text);
  else request.failure ??= text.trimEnd();
  return false;
}

/** After a failure, no more commands of a request run. */
function collectUnframed(request: Waiting, { ok, text }: Extract<ControlItem, { type: "block" }>): boolean {
  if (!ok) {
    request.failure = text.trimEnd();
    return true;
  }
  request.output.push(text);
  request.complete = request.ends.some((word) => text.startsWith(word));
  return request.complete;
}

function replyOf(request: Waiting): Reply {
  const output = request.output.join("");
  if (request.complete) return { kind: "answered", output };
  const words = request.failure ?? "";
  const refusal = readRefusal(words);
  if (refusal !== null) return { kind: "refused", refusal, output };
  return { kind: "unanswered", error: unclearError({ stderr: words, exitCode: undefined, effect: request.effect }) };
}

/** Each pass of the server's loop costs time for every pane, so requests of one tick are written at once. */
function batchedWriter(client: SupervisedClient): (text: string) => void {
  let pending = "";
  return (text) => {
    if (pending === "") {
      setImmediate(() => {
        client.input.write(pending);
        pending = "";
      });
    }
    pending += text;
  };
}
