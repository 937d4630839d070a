import { describe, expect, test } from "vitest";
import { openDoors, SECRETS } from "../fixtures/door-fixture.js";
import { rawRequest } from "../fixtures/raw-request.js";

/** Requests with a valid token that two parsers may read differently, or that tmpm's clients never send. `H` is the daemon's host, `A` the token. */
const REFUSED: readonly (readonly [string, readonly number[], string])[] = [
  ["an absolute target", [400], "GET http://H/v1/sessions HTTP/1.1\r\nHost: H\r\nA\r\n\r\n"],
  ["an absolute target elsewhere", [400], "GET http://evil.example/v1/sessions HTTP/1.1\r\nHost: H\r\nA\r\n\r\n"],
  ["a target of another host", [400], "GET //evil.example/v1/sessions HTTP/1.1\r\nHost: H\r\nA\r\n\r\n"],
  ["a target with a backslash", [400], "GET /\\evil.example HTTP/1.1\r\nHost: H\r\nA\r\n\r\n"],
  ["a fragment in the target", [400], "GET /v1/sessions#x HTTP/1.1\r\nHost: H\r\nA\r\n\r\n"],
  ["an asterisk for a target", [400], "OPTIONS * HTTP/1.1\r\nHost: H\r\nA\r\n\r\n"],
  ["bytes beyond ASCII in the target", [400], "GET /v1/s\xe4ssions HTTP/1.1\r\nHost: H\r\nA\r\n\r\n"],
  ["a tunnel", [0, 400, 405], "CONNECT H HTTP/1.1\r\nHost: H\r\nA\r\n\r\n"],
  ["two hosts", [400], "GET /v1/sessions HTTP/1.1\r\nHost: H\r\nHost: evil.example\r\nA\r\n\r\n"],
  ["two hosts that agree", [400], "GET /v1/sessions HTTP/1.1\r\nHost: H\r\nhost: H\r\nA\r\n\r\n"],
  ["a list of hosts", [421], "GET /v1/sessions HTTP/1.1\r\nHost: H, evil.example\r\nA\r\n\r\n"],
  ["an empty host", [421], "GET /v1/sessions HTTP/1.1\r\nHost:\r\nA\r\n\r\n"],
  ["no host, in HTTP/1.0", [400], "GET /v1/sessions HTTP/1.0\r\nA\r\n\r\n"],
  ["another host after the daemon's", [421], "GET /v1/sessions HTTP/1.1\r\nHost: H@evil.example\r\nA\r\n\r\n"],
  ["two tokens", [400], "GET /v1/sessions HTTP/1.1\r\nHost: H\r\nA\r\nA\r\n\r\n"],
  [
    "two content types",
    [400],
    "POST /v1/undo HTTP/1.1\r\nHost: H\r\nA\r\nContent-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
  ],
  ["a forwarded host", [421], "GET /v1/sessions HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: H\r\nA\r\n\r\n"],
  [
    "two lengths",
    [400],
    "POST /v1/undo HTTP/1.1\r\nHost: H\r\nA\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 40\r\n\r\n{}",
  ],
  [
    "a length and chunks",
    [400],
    "POST /v1/undo HTTP/1.1\r\nHost: H\r\nA\r\nContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
  [
    "chunks of another name",
    [400, 501],
    "POST /v1/undo HTTP/1.1\r\nHost: H\r\nA\r\nContent-Type: application/json\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
  ],
  ["a space before a colon", [400], "GET /v1/sessions HTTP/1.1\r\nHost : H\r\nA\r\n\r\n"],
  ["a folded header", [400], "GET /v1/sessions HTTP/1.1\r\nHost: H\r\nX: a\r\n b\r\nA\r\n\r\n"],
  ["bare line feeds", [400], "GET /v1/sessions HTTP/1.1\nHost: H\nA\n\n"],
  ["a zero byte in a header", [400], "GET /v1/sessions HTTP/1.1\r\nHost: H\r\nX: a\0b\r\nA\r\n\r\n"],
  ["an unknown method", [405], "PUT /v1/sessions HTTP/1.1\r\nHost: H\r\nA\r\nContent-Length: 0\r\n\r\n"],
  ["an invalid method", [400], "GETT /v1/sessions HTTP/1.1\r\nHost: H\r\nA\r\n\r\n"],
  ["a trace", [405], "TRACE /v1/sessions HTTP/1.1\r\nHost: H\r\nA\r\n\r\n"],
  ["an upgrade to something else", [400], "GET /v1/sessions HTTP/1.1\r\nHost: H\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nA\r\n\r\n"],
  [
    "an upgrade that changes something",
    [400],
    "POST /v1/undo HTTP/1.1\r\nHost: H\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\nA\r\n\r\n",
  ],
  [
    "a form",
    [400],
    "POST /v1/undo HTTP/1.1\r\nHost: H\r\nA\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b",
  ],
  [
    "text that a web page can send without permission",
    [400],
    "POST /v1/undo HTTP/1.1\r\nHost: H\r\nA\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
  ],
  ["a token in the query", [401], "GET /v1/sessions?token=TOKEN HTTP/1.1\r\nHost: H\r\n\r\n"],
  ["a token in another header", [401], "GET /v1/sessions HTTP/1.1\r\nHost: H\r\nX-Token: TOKEN\r\n\r\n"],
  ["a token as a password", [401], "GET /v1/sessions HTTP/1.1\r\nHost: H\r\nAuthorization: Basic TOKEN\r\n\r\n"],
  ["a token after two spaces", [401], "GET /v1/sessions HTTP/1.1\r\nHost: H\r\nAuthorization: Bearer  TOKEN\r\n\r\n"],
  ["a token followed by other text", [401], "GET /v1/sessions HTTP/1.1\r\nHost: H\r\nAuthorization: Bearer TOKEN x\r\n\r\n"],
  ["headers without an end", [431], `GET /v1/sessions HTTP/1.1\r\nHost: H\r\nA\r\nX: ${"x".repeat(70_000)}\r\n\r\n`],
];

describe("requests that two parsers may read differently are refused, even with a valid token, and reach no operation", () => {
  test("over TCP and over the socket", async () => {
    const fixture = await openDoors();
    const doors = [
      { where: { host: "127.0.0.1", port: fixture.port }, host: `127.0.0.1:${fixture.port}` },
      { where: { path: fixture.socket }, host: "localhost" },
    ];
    for (const [name, statuses, bytes] of REFUSED)
      for (const { where, host } of doors) {
        // The owner on the socket has no token, so cases with a misplaced token do not apply.
        if ("path" in where && name.startsWith("a token in")) continue;
        const answer = await rawRequest(where, filledIn(bytes, host));
        expect([name, statuses.includes(answer.status) ? "refused" : `${answer.status} ${answer.body}`]).toEqual([name, "refused"]);
      }
    expect(fixture.calls).toEqual([]);
  });

  test("a request after a refused one is not read", async () => {
    const fixture = await openDoors();
    const good = `GET /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:${fixture.port}\r\nAuthorization: Bearer ${SECRETS.admin}\r\n\r\n`;
    const bad = `POST /v1/undo HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: ${good.length}\r\n\r\n`;
    const answer = await rawRequest({ host: "127.0.0.1", port: fixture.port }, bad + good + good);
    expect(answer.status).toBe(421);
    expect(answer.head).toMatch(/connection: close/i);
    expect(fixture.calls).toEqual([]);
  });
});

function filledIn(bytes: string, host: string): string {
  return bytes
    .replaceAll(/\bH\b/g, host)
    .replaceAll(/^A\r?$/gm, `Authorization: Bearer ${SECRETS.admin}\r`)
    .replaceAll("TOKEN", SECRETS.admin);
}
