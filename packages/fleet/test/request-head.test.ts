import { describe, expect, test } from "vitest";
import { passedHead } from "../src/index.js";

const head = (...lines: readonly string[]) => lines.join("\r\n");

describe("the head of a request over a link", () => {
  test("is forwarded, and no other request follows it", () => {
    expect(passedHead(head("GET /v1/sessions?all=true HTTP/1.1", "Host: localhost", "Connection: keep-alive"), { token: null })).toEqual({
      head: head("GET /v1/sessions?all=true HTTP/1.1", "Host: localhost", "Connection: close"),
      framing: { kind: "length", bytes: 0 },
    });
  });

  test("keeps the WebSocket headers", () => {
    const key = "Sec-WebSocket-Key: a2V5";
    const upgrade = passedHead(head("GET /v1/sessions/a/stream HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket", key), {
      token: null,
    });
    expect(upgrade).toEqual({
      head: head("GET /v1/sessions/a/stream HTTP/1.1", key, "Upgrade: websocket", "Connection: Upgrade"),
      framing: { kind: "websocket" },
    });
  });

  test.each([
    ["GET", "Upgrade:"],
    ["GET", "Upgrade: h2c"],
    ["GET", "Upgrade: websocket, h2c"],
    ["GET", "Upgrade: websocket", "Upgrade: websocket"],
    ["GET", "Upgrade: websocket", "Content-Length: 0"],
    ["POST", "Upgrade: websocket"],
    ["GET", "Proxy-Connection: Upgrade", "Keep-Alive: timeout=60"],
  ])("without a WebSocket is the connection's last: %j", (method, ...fields) => {
    const passed = passedHead(head(`${method} / HTTP/1.1`, "Connection: Upgrade", ...fields), { token: "own" });
    expect(passed?.framing).toEqual({ kind: "length", bytes: 0 });
    expect(passed?.head).not.toMatch(/upgrade|keep-alive/i);
    expect(passed?.head).toContain("Connection: close");
  });

  test("has the rights of its sender, regardless of its content", () => {
    const claimed = ["Authorization: Bearer stolen", "authorization: Bearer again", "Cookie: a=b", "Tmpm-Session: other", "Accept: */*"];
    expect(passedHead(head("POST /v1/daemon/shutdown HTTP/1.1", ...claimed), { token: "own" })?.head).toBe(
      head("POST /v1/daemon/shutdown HTTP/1.1", "Accept: */*", "Connection: close", "Authorization: Bearer own"),
    );
  });

  test.each([
    ["GET /v1/sessions HTTP/1.1", "Authorization : Bearer x"],
    ["GET /v1/sessions HTTP/1.1", " folded: Authorization"],
    ["GET /v1/sessions HTTP/1.1\nAuthorization: Bearer x"],
    ["CONNECT other:80 HTTP/1.1"],
    ["GET http://other/ HTTP/1.1"],
    ["PRI * HTTP/2.0"],
    ["GET /\0 HTTP/1.1"],
    ["GET / HTTP/1.1", "Accept: a\rb"],
    ["GET / HTTP/1.1", ": none"],
    ["POST / HTTP/1.1", "Content-Length: 1", "Content-Length: 1"],
    ["POST / HTTP/1.1", "Content-Length: 1, 1"],
    ["POST / HTTP/1.1", "Content-Length: +1"],
    ["POST / HTTP/1.1", "Content-Length: 0x1"],
    ["POST / HTTP/1.1", "Content-Length:"],
    ["POST / HTTP/1.1", "Content-Length: 1", "Transfer-Encoding: chunked"],
    ["POST / HTTP/1.1", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
    ["POST / HTTP/1.1", "Transfer-Encoding: gzip, chunked"],
    ["POST / HTTP/1.1", "Transfer-Encoding: identity"],
    [""],
  ])("is refused when invalid: %j", (...lines) => {
    expect(passedHead(head(...lines), { token: "own" })).toBeNull();
  });

  test("is refused when a line contains another", () => {
    expect(passedHead(head("GET / HTTP/1.1", "Accept: a\nAuthorization: Bearer x"), { token: "own" })).toBeNull();
  });
});
