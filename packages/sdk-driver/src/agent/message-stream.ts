import type { Readable, Writable } from "node:stream";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";

export interface Pipes {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

export interface MessageStreamOptions extends Pipes {
  /** A line from the agent that is not a message. */
  readonly noise: (line: string) => void;
  readonly received: (message: AnyMessage) => void;
  /** The message is completely written to the operating system. */
  readonly sent: (message: AnyMessage) => void;
}

/** Agents send a tool's output in one message. A longer line is not a message. */
const MOST_LINE = 64 * 1024 * 1024;
const MOST_NOISE = 1_000;

export interface MessageStream extends Stream {
  /** Resolves when no message is waiting for the process to read its input; also when its pipe has closed. */
  idle(): Promise<void>;
}

/** The messages of a process that writes one per line. Other output is reported, and has no effect. */
export function messageStream({ stdin, stdout, noise, received, sent }: MessageStreamOptions): MessageStream {
  let writing: Promise<void> = Promise.resolve();
  /** False once its reader has cancelled it, or it has ended: then its controller accepts nothing more. */
  let isOpen = true;
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      const end = (task: () => void) => {
        if (isOpen) task();
        isOpen = false;
      };
      const lines = lineSplitter((line) => {
        const message = messageIn(line);
        if (message === null) return noise(line.toString("utf8").slice(0, MOST_NOISE));
        received(message);
        if (isOpen) controller.enqueue(message);
      });
      stdout.on("data", (chunk: Buffer) => lines.take(chunk));
      stdout.once("end", () => end(() => controller.close()));
      stdout.once("error", (error) => end(() => controller.error(error)));
    },
    // The rest of the output is read and dropped: the process must not block on a full pipe.
    cancel() {
      isOpen = false;
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      writing = new Promise((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => {
          if (error) return reject(error);
          sent(message);
          resolve();
        });
      });
      return writing;
    },
  });
  return { readable, writable, idle };

  /** The next message in a queue is written when the one before it was, in the same turn of the event loop. */
  async function idle(): Promise<void> {
    for (let last: Promise<void> | null = null; last !== writing; ) {
      last = writing;
      await last.catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function messageIn(line: Buffer): AnyMessage | null {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    return typeof value === "object" && value !== null && "jsonrpc" in value ? (value as AnyMessage) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Bytes as lines; empty ones are skipped, and of one that is too long the beginning is reported. */
function lineSplitter(onLine: (line: Buffer) => void): { take(chunk: Buffer): void } {
  let open: Buffer[] = [];
  let size = 0;
  const close = () => {
    const line = Buffer.concat(open);
    open = [];
    size = 0;
    if (line.some((byte) => byte !== 0x20 && byte !== 0x0d)) onLine(line);
  };
  return {
    take(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        open.push(chunk.subarray(from, end));
        close();
        from = end + 1;
      }
      if (size > MOST_LINE) return;
      open.push(chunk.subarray(from));
      size += chunk.length - from;
    },
  };
}
