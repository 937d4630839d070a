import { chmodSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isConnectionLost, isNotRunning, localTransport } from "../src/local/index.js";
import type { Request } from "../src/transport.js";
import { temporaryDir } from "./temporary-dir.js";

const GET: Request = { method: "GET", path: "/healthz", headers: {}, body: null, timeoutMs: 5000 };
const POST: Request = { method: "POST", path: "/v1/x", headers: { "tmpm-version": "1.0.0" }, body: '{"a":"ü"}', timeoutMs: 5000 };

describe("the local transport", () => {
  test("sends a request that a real HTTP server understands, and reads its response", async () => {
    await using place = await listening(
      createHttpServer((request, response) => {
        const parts: Buffer[] = [];
        request.on("data", (part) => parts.push(part));
        request.on("end", () => {
          const { method, url, headers } = request;
          response.setHeader("TMPM-Version", "2.0.0");
          response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(parts).toString() }));
        });
      }),
    );
    const transport = localTransport({ socket: place.socket });
    const answer = await transport.request(POST);
    expect(answer).toMatchObject({ status: 200, headers: { "tmpm-version": "2.0.0" } });
    expect(JSON.parse(answer.body)).toMatchObject({
      method: "POST",
      url: "/v1/x",
      headers: { connection: "close", "content-type": "application/json", "content-length": "10", "tmpm-version": "1.0.0" },
      body: '{"a":"ü"}',
    });
    expect(JSON.parse((await transport.request(GET)).body)).toMatchObject({ method: "GET", body: "" });
  });

  test("ends an exchange with the signal's reason, also if the signal was already aborted", async () => {
    await using place = await listening(createServer(() => undefined));
    const stop = new AbortController();
    const answer = localTransport({ socket: place.socket }).request({ ...GET, signal: stop.signal });
    setImmediate(() => stop.abort(new Error("enough")));
    await expect(answer).rejects.toThrow("enough");
    await expect(localTransport({ socket: place.socket }).request({ ...GET, signal: stop.signal })).rejects.toThrow("enough");
  });

  test("transfers eight megabytes in both directions", async () => {
    await using place = await listening(createHttpServer((request, response) => request.pipe(response)));
    const body = JSON.stringify("x".repeat(8 << 20));
    expect((await localTransport({ socket: place.socket }).request({ ...POST, body, timeoutMs: 20_000 })).body).toBe(body);
  });

  test("reports a missing folder or socket, and does not connect to anything but a socket", async () => {
    using dir = temporaryDir();
    const notRunning = expect.toSatisfy(isNotRunning);
    for (const path of ["missing/tmpm.sock", "tmpm.sock"]) {
      await expect(localTransport({ socket: join(dir.path, path) }).request(POST)).rejects.toEqual(notRunning);
    }
    writeFileSync(join(dir.path, "file.sock"), "");
    await expect(localTransport({ socket: join(dir.path, "file.sock") }).request(POST)).rejects.toMatchObject({ code: "UNSAFE_PATH" });
  });

  test("does not connect in a folder that other users can enter", async () => {
    let connections = 0;
    await using place = await listening(createServer(() => connections++));
    chmodSync(place.dir, 0o755);
    await expect(localTransport({ socket: place.socket }).request(GET)).rejects.toMatchObject({ code: "UNSAFE_PATH" });
    expect(connections).toBe(0);
  });

  test.each<[string, boolean, (socket: Socket) => void]>([
    ["closes at once", true, (socket) => socket.destroy()],
    ["closes after the request", true, (socket) => socket.once("data", () => socket.end())],
    ["ends within the response", true, (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")],
    ["uses another protocol", false, (socket) => socket.write("220 mail.example ESMTP\r\n")],
    ["responds with too much", false, (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${2 << 20}\r\n\r\n`)],
  ])("a server that %s leaves the effect of a change unknown, and a read without effect", async (_, lost, act) => {
    await using place = await listening(createServer((socket) => act(socket.on("error", () => {}))));
    const transport = localTransport({ socket: place.socket, maxBytes: 1 << 20 });
    await expect(transport.request(POST)).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE", effect: "unknown" });
    await expect(transport.request(POST)).rejects.toSatisfy((error) => !isNotRunning(error) && isConnectionLost(error) === lost);
    await expect(transport.request(GET)).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE", effect: "none" });
  });

  test("stops at its deadline, and closes the connection", async () => {
    let closed: () => void = () => {};
    const gone = new Promise<void>((resolve) => (closed = resolve));
    await using place = await listening(
      createServer((socket) =>
        socket
          .on("error", () => {})
          .on("close", closed)
          .resume(),
      ),
    );
    const request = { ...POST, timeoutMs: 30 };
    await expect(localTransport({ socket: place.socket }).request(request)).rejects.toMatchObject({
      code: "DAEMON_UNREACHABLE",
      effect: "unknown",
      message: expect.stringContaining("30 ms"),
    });
    await gone;
  });

  test("a deadline covers the whole response, also one that arrives slowly", async () => {
    await using place = await listening(
      createServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        const timer = setInterval(() => socket.write("x"), 5);
        socket.on("error", () => {}).on("close", () => clearInterval(timer));
      }),
    );
    await expect(localTransport({ socket: place.socket }).request({ ...GET, timeoutMs: 60 })).rejects.toMatchObject({
      code: "DAEMON_UNREACHABLE",
    });
  });

  test.each([2 ** 31, 2 ** 40])("a time limit of %i ms, above that of timers, does not expire at once", async (timeoutMs) => {
    const pending: (() => void)[] = [];
    await using place = await listening(createHttpServer((_, response) => void pending.push(() => response.end("{}"))));
    const transport = localTransport({ socket: place.socket });
    const patient = transport.request({ ...GET, timeoutMs }).then(
      ({ status }) => status,
      (error: unknown) => String(error),
    );
    await expect.poll(() => pending.length).toBe(1);
    await expect(transport.request({ ...GET, timeoutMs: 30 })).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE" });
    for (const go of pending) go();
    expect(await patient).toBe(200);
  });

  test("many concurrent requests do not interfere", async () => {
    await using place = await listening(createHttpServer((request, response) => response.end(request.url)));
    const transport = localTransport({ socket: place.socket });
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
    const answers = await Promise.all(paths.map((path) => transport.request({ ...GET, path })));
    expect(answers.map(({ body }) => body)).toEqual(paths);
  });
});

async function listening(server: Server) {
  const dir = temporaryDir();
  const socket = join(dir.path, "s");
  const sockets = new Set<Socket>();
  server.on("connection", (connection) => sockets.add(connection));
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    dir: dir.path,
    socket,
    async [Symbol.asyncDispose]() {
      for (const connection of sockets) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
      dir[Symbol.dispose]();
    },
  };
}
