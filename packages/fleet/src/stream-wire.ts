import type { Readable, Writable } from "node:stream";
import type { OpenWire } from "./wire.js";

export interface StreamEnds {
  readonly input: Readable;
  readonly output: Writable;
}

/** A wire on two streams, such as standard input and output. Closing it ends the output. */
export function streamWire({ input, output }: StreamEnds): OpenWire {
  return ({ bytes, closed }) => {
    let isClosed = false;
    const finish = (reason: string) => {
      if (isClosed) return;
      isClosed = true;
      input.destroy();
      output.end();
      closed({ reason });
    };
    input.on("data", bytes);
    input.on("end", () => finish("the connection ended"));
    input.on("error", (error) => finish(`the connection broke (${error.message})`));
    output.on("error", (error) => finish(`the connection broke (${error.message})`));
    return {
      send(piece) {
        if (!isClosed) output.write(piece);
      },
      close: () => finish("closed"),
    };
  };
}
