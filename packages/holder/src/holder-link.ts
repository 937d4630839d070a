import { connect, type Socket } from "node:net";
import { TmpmError } from "@tmpm/core/errors";
import { errorOf } from "./error-body.js";
import { encodeFrame, type Frame, frameReader } from "./frame.js";
import { type HolderFacts, isFacts, PROTOCOL } from "./holder-facts.js";
import { socketPath } from "./holder-folder.js";

export interface LinkOptions {
  readonly onEvent?: (event: unknown, bytes: Uint8Array) => void;
  /** Called once, for any kind of end. */
  readonly onClosed?: () => void;
  /** Time limit for the holder's greeting, and for its answers; default 5,000 and 10,000 ms. */
  readonly patienceMs?: number;
}

/** A connection to one holder process, and to no other: it ends with it. */
export interface HolderLink {
  readonly facts: HolderFacts;
  isOpen(): boolean;
  /** @throws the program's errors; INVALID_ARGUMENT for a message that is too large; UNRESPONSIVE (unknown) without an answer in time, or when the connection ends meanwhile */
  call(verb: string, options?: CallOptions): Promise<{ readonly value: unknown; readonly bytes: Uint8Array }>;
  /** While paused, nothing is read, which the holder notices. */
  hold(held: boolean): void;
  /** Idempotent. */
  close(): void;
}

export interface CallOptions {
  readonly args?: unknown;
  readonly bytes?: Uint8Array;
  /** Default that of the connection. */
  readonly patienceMs?: number;
}

type Reply = { readonly value: unknown; readonly bytes: Uint8Array };

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: TmpmError) => void;
  readonly timer: NodeJS.Timeout;
}

const HELLO_MS = 5000;
const CALL_MS = 10_000;

/** @throws UNRESPONSIVE (none) when no holder answers there; `cause` is the system's error */
export function connectHolder(folder: string, options: LinkOptions): Promise<HolderLink> {
  const socket = connect(socketPath(folder));
  const waiting = new Map<number, Waiting>();
  return new Promise((resolve, reject) => {
    let link: HolderLink | null = null;
    let refusal = `no holder answers in ${folder}`;
    const late = setTimeout(() => socket.destroy(new Error("no answer")), options.patienceMs ?? HELLO_MS);
    const greet = (facts: HolderFacts) => {
      if (facts.protocol > PROTOCOL) {
        refusal = `the holder in ${folder} was started by a later version of tmpm`;
        return void socket.destroy();
      }
      clearTimeout(late);
      link = linkOver(socket, { facts, waiting, answerMs: options.patienceMs ?? CALL_MS });
      resolve(link);
    };
    const read = frameReader((frame) => hear(frame, { waiting, greet, onEvent: options.onEvent }));
    let fault: unknown = null;
    socket.on("data", (chunk: Buffer) => {
      try {
        read(chunk);
      } catch (error) {
        if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
        socket.destroy(error);
      }
    });
    socket.on("error", (error) => {
      fault = error;
    });
    socket.on("close", () => {
      clearTimeout(late);
      for (const { reject: refuse, timer } of waiting.values()) {
        clearTimeout(timer);
        refuse(new TmpmError("UNRESPONSIVE", "the holder ended the connection", { effect: "unknown" }));
      }
      waiting.clear();
      if (link === null) reject(new TmpmError("UNRESPONSIVE", refusal, { cause: fault }));
      else options.onClosed?.();
    });
  });
}

interface Hearing {
  readonly waiting: Map<number, Waiting>;
  readonly greet: (facts: HolderFacts) => void;
  readonly onEvent: LinkOptions["onEvent"];
}

function hear({ body, bytes }: Frame, { waiting, greet, onEvent }: Hearing): void {
  if (typeof body !== "object" || body === null) throw new RangeError("a frame has no body");
  if ("hello" in body && isFacts(body.hello)) greet(body.hello);
  if ("event" in body) onEvent?.(body.event, bytes);
  if (!("id" in body) || typeof body.id !== "number") return;
  const asked = waiting.get(body.id);
  if (asked === undefined) return;
  waiting.delete(body.id);
  clearTimeout(asked.timer);
  const error = "error" in body ? errorOf(body.error) : null;
  if (error !== null) asked.reject(error);
  else asked.resolve({ value: "value" in body ? body.value : null, bytes });
}

interface Greeted {
  readonly facts: HolderFacts;
  readonly waiting: Map<number, Waiting>;
  readonly answerMs: number;
}

function linkOver(socket: Socket, { facts, waiting, answerMs }: Greeted): HolderLink {
  let lastId = 0;
  return {
    facts,
    isOpen: () => !socket.destroyed,
    async call(verb, { args = null, bytes, patienceMs = answerMs } = {}) {
      if (socket.destroyed) throw new TmpmError("UNRESPONSIVE", "the holder ended the connection");
      const id = ++lastId;
      const frame = encodeFrame({ body: { id, verb, args }, bytes });
      return new Promise((resolve, reject) => {
        const late = () => {
          waiting.delete(id);
          reject(new TmpmError("UNRESPONSIVE", `the holder did not answer within ${patienceMs} ms`, { effect: "unknown" }));
        };
        waiting.set(id, { resolve, reject, timer: setTimeout(late, patienceMs) });
        socket.write(frame);
      });
    },
    hold(held) {
      if (held) socket.pause();
      else socket.resume();
    },
    close: () => void socket.destroy(),
  };
}
