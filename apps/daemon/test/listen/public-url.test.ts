import type { LoginCodeAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { publicUrl } from "../../src/listen/public-url.js";
import { openDoors } from "../fixtures/door-fixture.js";
import { rawRequest, requestText } from "../fixtures/raw-request.js";

describe("the public URL of a proxy", () => {
  test("the public URL is read as browsers write it", () => {
    const read = (text: string) => publicUrl({ TMPM_PUBLIC_URL: text });
    expect(publicUrl({})).toBeNull();
    expect(read("https://Box.Example:443/tmpm")).toEqual({
      host: "box.example",
      origin: "https://box.example",
      isSecure: true,
      path: "/tmpm/",
    });
    expect(read("http://localhost:8080")).toEqual({ host: "localhost:8080", origin: "http://localhost:8080", isSecure: false, path: "/" });
    for (const text of [
      "box.example",
      "http://box.example/",
      "https://u:p@box.example/",
      "https://box.example/?x",
      "https://box.example/#x",
      "ftp://box.example/",
      "https://box.example/a;b",
    ])
      expect(() => read(text), text).toThrow(expect.objectContaining({ code: "LISTEN_REFUSED" }));
  });

  test("the public URL adds a host name with exactly its own origin, and its cookie is limited to its path", async () => {
    const fixture = await openDoors({ published: publicUrl({ TMPM_PUBLIC_URL: "https://box.example/tmpm/" }) });
    const made = await rawRequest({ path: fixture.socket }, requestText("POST /v1/login-codes", [["host", "localhost"]], "{}"));
    const { code, url } = JSON.parse(made.body) as LoginCodeAnswer;
    expect(url).toBe(`https://box.example/tmpm/login#${code}`);
    const enter = (origin: string, host = "box.example") =>
      rawRequest(
        { host: "127.0.0.1", port: fixture.port },
        requestText(
          "POST /v1/login",
          [
            ["host", host],
            ["origin", origin],
          ],
          JSON.stringify({ code }),
        ),
      );
    for (const origin of ["http://box.example", "https://box.example:8443", "https://evil.example"])
      expect((await enter(origin)).status).toBe(403);
    expect((await enter("https://evil.example", "evil.example")).status).toBe(421);
    const entered = await enter("https://box.example");
    expect([entered.status, entered.head]).toEqual([
      200,
      expect.stringMatching(/set-cookie: [^\r]*; Path=\/tmpm\/; Max-Age=\d+; Secure\r/i),
    ]);
  });
});
