import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { currentToken, currentTransport, daemonUrl } from "../src/local/index.js";
import { temporaryDir } from "./temporary-dir.js";

/** Responds with the received authorization and host. */
async function echo(where: { readonly path: string } | { readonly host: string; readonly port: number }) {
  const server = createServer(({ headers }, response) =>
    response.end(JSON.stringify({ shown: headers.authorization ?? null, host: headers.host })),
  );
  await new Promise<void>((resolve) => server.listen(where, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function shownTo(env: Readonly<Record<string, string>>): Promise<unknown> {
  const request = { method: "GET", path: "/v1/sessions", headers: {}, body: null, timeoutMs: 5_000 } as const;
  return JSON.parse((await currentTransport(env).request(request)).body);
}

const TOKEN = `tmpm_${"x".repeat(43)}`;

describe("the transport to the daemon", () => {
  test("is the socket, and sends a token only if there is one", async () => {
    using dir = temporaryDir();
    mkdirSync(join(dir.path, "run"), { mode: 0o700 });
    const TMPM_SOCKET = join(dir.path, "run", "s");
    await using _ = await echo({ path: TMPM_SOCKET });
    expect(await shownTo({ TMPM_SOCKET })).toEqual({ shown: null, host: "localhost" });
    expect(await shownTo({ TMPM_SOCKET, TMPM_TOKEN: TOKEN })).toMatchObject({ shown: `Bearer ${TOKEN}` });
  });

  test("is TCP with TMPM_URL, and requires a token", async () => {
    using dir = temporaryDir();
    const file = join(dir.path, "token");
    writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 });
    await using server = await echo({ host: "127.0.0.1", port: 0 });
    const TMPM_URL = `http://127.0.0.1:${server.port}`;
    expect(await shownTo({ TMPM_URL, TMPM_TOKEN_FILE: file })).toEqual({ shown: `Bearer ${TOKEN}`, host: `127.0.0.1:${server.port}` });
    expect(() => currentTransport({ TMPM_URL })).toThrow(expect.objectContaining({ code: "UNAUTHENTICATED" }));
  });

  test.each([5_000.25, 2 ** 31, 2 ** 40])("accepts a time limit of %d ms", async (timeoutMs) => {
    await using server = await echo({ host: "127.0.0.1", port: 0 });
    const transport = currentTransport({ TMPM_URL: `http://127.0.0.1:${server.port}`, TMPM_TOKEN: TOKEN });
    const request = { method: "GET", path: "/", headers: {}, body: null, timeoutMs } as const;
    expect((await transport.request(request)).status).toBe(200);
  });

  test("does not send a token unencrypted to another machine, or to an invalid address", () => {
    const good = [
      "http://127.0.0.1:7777",
      "http://localhost:7777",
      "http://[::1]:7777",
      "http://x.localhost:1",
      "https://tmpm.example",
      "http://127.9.9.9:1/",
    ];
    expect(good.map((TMPM_URL) => daemonUrl({ TMPM_URL }))).toEqual(good.map((url) => new URL(url).origin));
    expect([daemonUrl({}), daemonUrl({ TMPM_URL: "" })]).toEqual([null, null]);
    const bad = [
      ...[
        "http://192.0.2.1:7777",
        "http://tmpm.example",
        "http://127.0.0.1.nip.io:1",
        "http://127.evil.example",
        "ftp://localhost",
        "localhost:7777",
      ],
      ...["http://localhost:1/path", "http://localhost:1/?q", "http://localhost:1/#f", "http://me:secret@localhost:1", "nonsense"],
    ];
    for (const TMPM_URL of bad)
      expect(() => daemonUrl({ TMPM_URL }), TMPM_URL).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

describe("the token", () => {
  test("reads the token from a private file of the user, and keeps it out of errors", () => {
    using dir = temporaryDir();
    const file = join(dir.path, "token");
    expect(currentToken({})).toBeNull();
    writeFileSync(file, TOKEN);
    for (const mode of [0o644, 0o640, 0o604]) {
      chmodSync(file, mode);
      expect(() => currentToken({ TMPM_TOKEN_FILE: file })).toThrow(expect.objectContaining({ code: "UNSAFE_PATH" }));
    }
    chmodSync(file, 0o600);
    expect(currentToken({ TMPM_TOKEN_FILE: file })).toBe(TOKEN);
    expect(() => currentToken({ TMPM_TOKEN_FILE: dir.path })).toThrow(expect.objectContaining({ code: "UNSAFE_PATH" }));
    expect(() => currentToken({ TMPM_TOKEN_FILE: `${file}-missing` })).toThrow(expect.objectContaining({ code: "FILE_NOT_FOUND" }));
    for (const wrong of ["a b", "secret\r\nX: y", `${TOKEN}!`]) {
      try {
        currentToken({ TMPM_TOKEN: wrong });
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
        expect(JSON.stringify(error) + String(error)).not.toContain(wrong);
      }
    }
  });
});
