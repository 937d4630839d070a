import { fromErrorBody, TmpmError } from "@tmpm/core/errors";
import type { StreamCommand, StreamMessage } from "./contracts.js";

type Without<T> = T extends StreamCommand ? Omit<T, "id"> : never;

/** A command before it is numbered. */
export type Said = Without<StreamCommand>;

/** Commands that await acknowledgement. They are sent again over a new connection; the daemon executes each once. */
export interface TerminalCommands {
  /** Resolves when it is executed. @throws the reason of a refusal; with effect `unknown` if the outcome is lost */
  say(command: Said): Promise<void>;
  acknowledged(ack: Extract<StreamMessage, { type: "ack" }>): void;
  /** The connection is open. If a different daemon has the command history, the outcome of the commands already sent is unknown. */
  connected(send: (text: string) => void, sameLog: boolean): void;
  disconnected(): void;
  /** No further command will be executed. */
  end(error: TmpmError): void;
}

const MOST_AT_ONCE = 32;

interface Waiting {
  readonly text: string;
  /** The connection over which it was sent last. */
  sentOver: ((text: string) => void) | null;
  readonly done: () => void;
  readonly fail: (error: TmpmError) => void;
}

export function terminalCommands(): TerminalCommands {
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
    transmit();
  }

  return {
    say(command) {
      if (ended !== null) return Promise.reject(ended);
      const id = ++last;
      return new Promise((done, reject) => {
        waiting.set(id, { text: JSON.stringify({ ...command, id }), sentOver: null, done, fail: reject });
        transmit();
      });
    },
    acknowledged({ id, outcome, error }) {
      settle(id, outcome === "done" ? null : error === null ? lost() : fromErrorBody(error));
    },
    connected(how, sameLog) {
      send = how;
      for (const [id, { sentOver }] of waiting) if (sentOver !== null && !sameLog) settle(id, lost());
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
