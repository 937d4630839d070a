import type { Response } from "../transport.js";
import { BadResponse } from "./bad-response.js";
import { type BodyDecoder, chunkedBody, fixedBody, openBody } from "./body-decoder.js";

/** Parses one response as its bytes arrive. */
export interface ResponseReader {
  /** Adds the next bytes. Returns the response once it is complete. @throws BadResponse */
  push(bytes: Buffer): Response | null;
  /** The connection has ended. @throws BadResponse if the response is incomplete */
  end(): Response;
}

const MAX_HEAD = 16 * 1024;
const HEAD_END = "\r\n\r\n";

type Headers = Readonly<Record<string, string>>;

interface Head {
  readonly status: number;
  readonly headers: Headers;
}

/** Parses one HTTP/1.1 response from pieces of any size (RFC 9112); informational responses before it are skipped. */
export function responseReader({ maxBytes }: { maxBytes: number }): ResponseReader {
  let pending: Buffer = Buffer.alloc(0);
  let answer: { readonly head: Head; readonly body: BodyDecoder } | null = null;

  function readHead(bytes: Buffer): Buffer | null {
    pending = Buffer.concat([pending, bytes]);
    for (let end = headEnd(pending); end >= 0; end = headEnd(pending)) {
      const head = parseHead(pending.toString("latin1", 0, end));
      pending = pending.subarray(end + HEAD_END.length);
      if (head.status < 200) continue;
      answer = { head, body: bodyDecoder(head, maxBytes) };
      return pending;
    }
    return null;
  }

  function complete(): Response {
    if (answer === null) throw new BadResponse("the connection ended before a response");
    return { ...answer.head, body: answer.body.text() };
  }

  return {
    push(bytes) {
      const rest = answer === null ? readHead(bytes) : bytes;
      return rest !== null && answer?.body.push(rest) === true ? complete() : null;
    },
    end() {
      if (answer !== null && !answer.body.endsWithConnection) throw new BadResponse("the connection ended within the response");
      return complete();
    },
  };
}

/** The end of the header section; -1 if it has not arrived yet. */
function headEnd(bytes: Buffer): number {
  const start = bytes.toString("latin1", 0, 7);
  if (!"HTTP/1.".startsWith(start)) throw new BadResponse("the response is not HTTP");
  const end = bytes.indexOf(HEAD_END);
  if (end > MAX_HEAD || (end < 0 && bytes.length > MAX_HEAD)) throw new BadResponse("the response header is too long");
  return end;
}

function parseHead(text: string): Head {
  const [first = "", ...lines] = text.split("\r\n");
  const match = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first);
  if (match === null) throw new BadResponse("the response is not HTTP");
  return { status: Number(match[1]), headers: Object.fromEntries(lines.map(parseField)) };
}

function parseField(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  if (colon < 1) throw new BadResponse("a header of the response has no name");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function bodyDecoder({ status, headers }: Head, maxBytes: number): BodyDecoder {
  if (status === 204 || status === 304) return fixedBody(0, maxBytes);
  const coding = headers["transfer-encoding"];
  if (coding !== undefined) {
    if (coding.toLowerCase() !== "chunked") throw new BadResponse(`the response is encoded as ${coding}`);
    return chunkedBody(maxBytes);
  }
  const length = headers["content-length"];
  if (length === undefined) return openBody(maxBytes);
  if (!/^\d{1,15}$/.test(length)) throw new BadResponse("the response has no valid length");
  return fixedBody(Number(length), maxBytes);
}
