import { describe, expect, test } from "vitest";
import { responseReader } from "../src/local/response-reader.js";
import type { Response } from "../src/transport.js";

const BODY = '{"text":"grüße → 日本語 🙂"}';
const BYTES = Buffer.from(BODY);

const fixed = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nTmpm-Version: 1.2.3\r\nContent-Length: ${BYTES.length}\r\n\r\n`), BYTES]);
const chunked = Buffer.concat([
  Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
  ...[BYTES.subarray(0, 11), BYTES.subarray(11, 12), BYTES.subarray(12)].flatMap((part) => [
    Buffer.from(`${part.length.toString(16)};ext=1\r\n`),
    part,
    Buffer.from("\r\n"),
  ]),
  Buffer.from("0\r\nTrailer: dropped\r\n\r\n"),
]);

function readAll(parts: readonly Buffer[], maxBytes = 1 << 20): Response {
  const reader = responseReader({ maxBytes });
  for (const part of parts) {
    const response = reader.push(part);
    if (response !== null) return response;
  }
  return reader.end();
}

function splitEvery(bytes: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

describe("an HTTP response", () => {
  test.each([1, 2, 3, 7, 64, 10_000])("is parsed from pieces of %i bytes, with a declared length or chunked", (size) => {
    expect(readAll(splitEvery(fixed, size))).toEqual({
      status: 200,
      headers: { "tmpm-version": "1.2.3", "content-length": String(BYTES.length) },
      body: BODY,
    });
    expect(readAll(splitEvery(chunked, size))).toMatchObject({ status: 200, body: BODY });
  });

  test("is parsed when split into two at any position", () => {
    for (const bytes of [fixed, chunked]) {
      for (let cut = 1; cut < bytes.length; cut++) {
        expect(readAll([bytes.subarray(0, cut), bytes.subarray(cut)]).body).toBe(BODY);
      }
    }
  });

  test("is complete before the connection ends, and bytes after it are ignored", () => {
    expect(responseReader({ maxBytes: 1000 }).push(Buffer.concat([fixed, Buffer.from("more")]))).toMatchObject({ body: BODY });
  });

  test("without a length ends with the connection", () => {
    expect(readAll([Buffer.from("HTTP/1.1 200 OK\r\n\r\nabc"), Buffer.from("def")]).body).toBe("abcdef");
  });

  test("may follow an informational response, and may have an empty body", () => {
    expect(readAll([Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${fixed.toString()}`)]).body).toBe(BODY);
    expect(readAll([Buffer.from("HTTP/1.1 204 No Content\r\n\r\n")])).toMatchObject({ status: 204, body: "" });
  });

  test.each([
    ["nothing", ""],
    ["the head cut off", "HTTP/1.1 200 OK\r\nContent-Le"],
    ["the body cut off", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"],
    ["a chunk cut off", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"],
    ["the last chunk missing", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"],
  ])("with %s is invalid", (_, text) => {
    expect(() => readAll([Buffer.from(text)])).toThrow(/the connection ended/);
  });

  test.each([
    ["another protocol", "SSH-2.0-OpenSSH\r\n"],
    ["another HTTP", "HTTP/2 200\r\n\r\n"],
    ["no status", "HTTP/1.1 OK\r\n\r\n"],
    ["a header without a name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n"],
    ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n"],
    ["another coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"],
    ["no chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"],
    ["an endless chunk size", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1".repeat(2000)}`],
    ["a chunk that does not end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n"],
    ["an endless head", `HTTP/1.1 200 OK\r\nX: ${"y".repeat(20_000)}`],
  ])("with %s is refused at once", (_, text) => {
    const reader = responseReader({ maxBytes: 1000 });
    expect(() => reader.push(Buffer.from(text))).toThrow(expect.objectContaining({ name: "BadResponse" }));
  });

  test("that exceeds the size limit is refused, with any encoding of its length", () => {
    const large = "x".repeat(1001);
    const answers = [
      "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n${large}\r\n`,
      `HTTP/1.1 200 OK\r\n\r\n${large}`,
    ];
    for (const text of answers) expect(() => responseReader({ maxBytes: 1000 }).push(Buffer.from(text))).toThrow(/larger than 1000/);
  });
});
