import { fromErrorBody, TmpmError } from "@tmpm/core/errors";
import type { StreamCommand, StreamMessage } from "./contracts.js";

type Without<T> = T extends StreamCommand ? Omit<T, "id"> : never;

/** A command before it is numbered. */
export type UnnumberedCommand = Without<StreamCommand>;

/**
 * Commands that await acknowledgement. They are sent again over a new connection; the daemon executes each once. Input that has waited too
 * long for a connection is not sent, because it referred to an earlier screen.
 */
export interface TerminalCommands {
  /** Resolves when it is executed. @throws the reason of a refusal; with effect `unknown` if the outcome is lost */
  say(command: UnnumberedCommand): Promise<void>;
  acknowledged(ack: Extract<StreamMessage, { type: "ack" }>): void;
  /** The connection is open. If a different daemon has the command history, the outcome of the commands already sent is unknown. */
  connected(send: (text: string) => void, log: "first" | "same" | "other"): void;
  disconnected(): void;
  /** No further command will be executed. */
  end(error: TmpmError): void;
}

export interface TerminalCommandsOptions {
  /** Time in ms. */
  readonly now: () => number;
}

const MOST_AT_ONCE = 32;
/** Age of input at a reconnect above which it is not typed any more, in ms. */
const MOST_AGE_MS = 10_000;
/** Maximum commands that wait for a connection. */
const MOST_WAITING = 1_000;

interface Waiting {
  readonly text: string;
  readonly isInput: boolean;
  readonly saidMs: number;
  /** The connection over which it was sent last. */
  sentOver: ((text: string) => void) | null;
  readonly done: () => void;
  readonly fail: (error: TmpmError) => void;
}

export function terminalCommands({ now }: TerminalCommandsOptions): TerminalCommands {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let send: ((text: string) => void) | null = null;
  let ended: TmpmError | null = null;

  /** The daemon's limit of unacknowledged commands. */
  function transmit(): void {
    for (const command of [...waiting.values()].slice(0, MOST_AT_ONCE)) {
      if (send === null || command.sentOver === send) continue;
      command.sentOver = send;
      send(command.text);
    }
  }

  function settle(id: number, error: TmpmError | null): void {
    const command = waiting.get(id);
    waiting.delete(id);
    if (error === null) command?.done();
    else command?.fail(error);
  }

  /** Why a command is not sent over a new connection; null when it is. */
  function stale({ isInput, saidMs, sentOver }: Waiting, log: "first" | "same" | "other"): TmpmError | null {
    if (sentOver !== null && log !== "same") return lost();
    const isLate = isInput && (now() - saidMs > MOST_AGE_MS || log === "other");
    if (!isLate) return null;
    return sentOver === null ? unsent() : lost();
  }

  return {
    say(command) {
      if (ended !== null) return Promise.reject(ended);
      if (send === null && waiting.size >= MOST_WAITING) return Promise.reject(unsent());
      const id = ++last;
      const said = { text: JSON.stringify({ ...command, id }), isInput: command.type === "input", saidMs: now(), sentOver: null };
      return new Promise((done, reject) => {
        waiting.set(id, { ...said, done, fail: reject });
        transmit();
      });
    },
    acknowledged({ id, outcome, error }) {
      settle(id, outcome === "done" ? null : error === null ? lost() : fromErrorBody(error));
      transmit();
    },
    connected(how, log) {
      for (const [id, command] of waiting) {
        const error = stale(command, log);
        if (error !== null) settle(id, error);
      }
      send = how;
      transmit();
    },
    disconnected() {
      send = null;
    },
    end(error) {
      ended = error;
      send = null;
      for (const [id, { sentOver }] of waiting) settle(id, sentOver === null ? error : lost());
    },
  };
}

function lost(): TmpmError {
  return new TmpmError("UNCONFIRMED", "the stream ended before this was acknowledged", {
    effect: "unknown",
    hint: "Check the screen before you repeat it.",
  });
}

function unsent(): TmpmError {
  return new TmpmError("DAEMON_UNREACHABLE", "the connection was lost, so this was not typed", {
    hint: "Check the screen, then type it again.",
  });
}
