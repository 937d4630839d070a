import { fromErrorBody, TmpmError } from "@tmpm/core/errors";
import type { StreamCommand, StreamMessage } from "./contracts.js";

type Without<T> = T extends StreamCommand ? Omit<T, "id"> : never;

/** A command before it has its number. */
export type Said = Without<StreamCommand>;

/** Commands that wait for their acknowledgement. Sent again over a new connection, the daemon does each once. */
export interface TerminalCommands {
  /** Resolves when it is done. @throws what it was refused for; with effect `unknown` when nobody can tell */
  say(command: Said): Promise<void>;
  acknowledged(ack: Extract<StreamMessage, { type: "ack" }>): void;
  /** There is a connection. On another stream than before, nobody knows what became of what was sent. */
  connected(send: (text: string) => void, sameStream: boolean): void;
  disconnected(): void;
  /** None will be done any more. */
  end(error: TmpmError): void;
}

interface Waiting {
  readonly text: string;
  sent: boolean;
  readonly done: () => void;
  readonly fail: (error: TmpmError) => void;
}

export function terminalCommands(): TerminalCommands {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let send: ((text: string) => void) | null = null;
  let ended: TmpmError | null = null;

  function transmit(command: Waiting): void {
    if (send === null) return;
    command.sent = true;
    send(command.text);
  }

  function fail(id: number, error: TmpmError): void {
    waiting.get(id)?.fail(error);
    waiting.delete(id);
  }

  return {
    say(command) {
      if (ended !== null) return Promise.reject(ended);
      const id = ++last;
      return new Promise((done, reject) => {
        const made: Waiting = { text: JSON.stringify({ ...command, id }), sent: false, done, fail: reject };
        waiting.set(id, made);
        transmit(made);
      });
    },
    acknowledged({ id, outcome, error }) {
      if (outcome !== "done") return fail(id, error === null ? lost() : fromErrorBody(error));
      waiting.get(id)?.done();
      waiting.delete(id);
    },
    connected(how, sameStream) {
      send = how;
      for (const [id, command] of waiting) {
        if (command.sent && !sameStream) fail(id, lost());
        else transmit(command);
      }
    },
    disconnected() {
      send = null;
    },
    end(error) {
      ended = error;
      send = null;
      for (const [id, { sent }] of waiting) fail(id, sent ? lost() : error);
    },
  };
}

function lost(): TmpmError {
  return new TmpmError("UNCONFIRMED", "the stream ended before this was acknowledged", {
    effect: "unknown",
    hint: "Look at the screen before you repeat it.",
  });
}
