import { connect } from "node:net";

/** The unparsed response. `status` is 0 if the connection ended without one. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export type Where = { readonly path: string } | { readonly host: string; readonly port: number };

/** Sends unmodified bytes over a separate connection, and reads until it ends or the response is complete. */
export function rawRequest(where: Where, bytes: string): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(where);
    let text = "";
    const settle = () => {
      socket.destroy();
      resolve(answerIn(text));
    };
    socket.on("connect", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (isWhole(text)) settle();
    });
    socket.on("error", settle);
    socket.on("end", settle);
    socket.setTimeout(45_000, settle);
  });
}

/** The lines of a request that ends its connection. */
export function requestText(line: string, headers: readonly (readonly [string, string])[], body = ""): string {
  const length = body === "" ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`];
  return [`${line} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), ...length, "", body].join("\r\n");
}

function answerIn(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const head = end < 0 ? text : text.slice(0, end);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: end < 0 ? "" : text.slice(end + 4) };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) return /^HTTP\/1\.1 101/.test(text);
  return text.length >= end + 4 + Number(length);
}
