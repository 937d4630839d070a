import { describe, expect, test } from "vitest";
import { passedHead } from "../src/index.js";

const head = (...lines: readonly string[]) => lines.join("\r\n");

describe("the head of a request over a link", () => {
  test("is forwarded, and no other request follows it", () => {
    expect(passedHead(head("GET /v1/sessions?all=true HTTP/1.1", "Host: localhost", "Connection: keep-alive"), { token: null })).toBe(
      head("GET /v1/sessions?all=true HTTP/1.1", "Host: localhost", "Connection: close"),
    );
  });

  test("keeps the WebSocket headers", () => {
    const upgrade = passedHead(head("GET /v1/sessions/a/stream HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket"), { token: null });
    expect(upgrade).toBe(head("GET /v1/sessions/a/stream HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade"));
  });

  test("has the rights of its sender, regardless of its content", () => {
    const claimed = ["Authorization: Bearer stolen", "authorization: Bearer again", "Cookie: a=b", "Tmpm-Session: other", "Accept: */*"];
    expect(passedHead(head("POST /v1/daemon/shutdown HTTP/1.1", ...claimed), { token: "own" })).toBe(
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
    [""],
  ])("is refused when invalid: %j", (...lines) => {
    expect(passedHead(head(...lines), { token: "own" })).toBeNull();
  });

  test("is refused when a line contains another", () => {
    expect(passedHead(head("GET / HTTP/1.1", "Accept: a\nAuthorization: Bearer x"), { token: "own" })).toBeNull();
  });
});
