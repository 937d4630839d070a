import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";

interface Built {
  readonly outputFiles: readonly { readonly text: string }[];
  readonly metafile: { readonly inputs: Readonly<Record<string, unknown>> };
}

/** esbuild is a dependency of tsup and not declared here. */
const tsup = createRequire(import.meta.url).resolve("tsup");
const esbuild: { build(options: object): Promise<Built> } = createRequire(tsup)("esbuild");

async function bundle(): Promise<Built> {
  return esbuild.build({
    stdin: { contents: `export * from "@tmpm/api/client";`, resolveDir: fileURLToPath(new URL("..", import.meta.url)), loader: "ts" },
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "iife",
    globalName: "tmpm",
    conditions: ["@tmpm/source"],
    logLevel: "silent",
  });
}

test("the client uses browser APIs only, and does not bundle the schemas", async () => {
  const { outputFiles, metafile } = await bundle();
  expect(outputFiles[0]?.text).not.toMatch(/["'](?:node:|ws["'])/);
  expect(Object.keys(metafile.inputs).filter((file) => /node_modules|\/zod\/|contracts\//.test(file))).toEqual([]);
});

test("a page sends requests and follows a terminal with fetch and WebSocket only, and receives the reason of a refused stream", async () => {
  const url = await daemonStandIn();
  const { outputFiles } = await bundle();
  // Only globals of every browser; without Buffer, process and require.
  const page = {
    fetch,
    WebSocket,
    URL,
    URLSearchParams,
    AbortSignal,
    AbortController,
    crypto,
    atob,
    Uint8Array,
    ArrayBuffer,
    DataView,
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    DOMException,
  };
  const script = `(async () => {
    const transport = tmpm.webTransport({ url: ${JSON.stringify(url)}, token: "secret" });
    const { status } = await tmpm.client({ transport }).health();
    const seen = [];
    for await (const each of tmpm.openTerminal(transport, { session: "demo" })) {
      seen.push(each.kind === "output" ? [each.seq, ...each.bytes] : each.kind === "screen" ? [each.kind, ...each.screen.paint] : each.kind);
    }
    let refused = null;
    try {
      for await (const each of tmpm.openTerminal(transport, { session: "nobody" })) seen.push(each);
    } catch (error) {
      refused = error.code;
    }
    return JSON.stringify({ status, seen, refused, node: [typeof process, typeof Buffer, typeof require] });
  })()`;
  const result: unknown = JSON.parse(await runInNewContext(`${outputFiles[0]?.text}\n${script}`, page));
  expect(result).toEqual({
    status: "ok",
    seen: [["screen", 104, 105], [7, 255, 0], "end"],
    refused: "SESSION_NOT_FOUND",
    node: ["undefined", "undefined", "undefined"],
  });
});

/** Responds like a daemon. */
async function daemonStandIn(): Promise<string> {
  const json = { "content-type": "application/json" };
  const server = createServer((request, response) => {
    if (request.headers.authorization !== "Bearer secret") response.writeHead(401, json).end("{}");
    else if (request.url === "/healthz") response.writeHead(200, json).end(JSON.stringify({ status: "ok" }));
    else
      response
        .writeHead(404, json)
        .end(JSON.stringify({ error: { code: "SESSION_NOT_FOUND", message: "there is none", hint: null, effect: "none", details: {} } }));
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    if (!request.url?.includes("/demo/")) return void socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
    sockets.handleUpgrade(request, socket, head, (web) => {
      const screen = {
        seq: 7,
        columns: 80,
        rows: 24,
        cursor: { column: 0, row: 0, visible: true },
        title: "",
        lines: [],
        paint: btoa("hi"),
      };
      web.send(JSON.stringify({ type: "hello", stream: "s", viewer: "v", alive_ms: 1000, lease_ms: 1000 }));
      web.send(JSON.stringify({ type: "a message of a later version" }));
      web.send(JSON.stringify({ type: "screen", ...screen }));
      web.send(Buffer.from([0, 0, 0, 0, 0, 0, 0, 7, 255, 0]));
      web.send(JSON.stringify({ type: "end", reason: "exited", seq: 9, screen: null, error: null }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
