import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createProxy, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { FakeHost } from "./fake-host.js";

export const HOST = "host.example";

/** The fake host behind TLS and a proxy, so that the real `gh` sends its requests to it. */
export interface RealHost extends AsyncDisposable {
  /** What makes `gh` use it. */
  readonly env: Readonly<Record<string, string>>;
  /** The values of the `authorization` header, of each request. */
  readonly logins: readonly (string | undefined)[];
}

export async function realHost(host: FakeHost, folder: string): Promise<RealHost> {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", `/CN=${HOST}`, "-addext", `subjectAltName=DNS:${HOST}`];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert, ...subject], {
    stdio: "ignore",
  });
  const logins: (string | undefined)[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    logins.push(request.headers.authorization);
    void answer(host, { request, response });
  });
  const to = await listening(server);
  const sockets = new Set<Socket>();
  const proxy = createProxy().on("connect", (_request, client: Socket) => {
    const onward = connect(to, "127.0.0.1", () => client.write("HTTP/1.1 200 Connection established\r\n\r\n"));
    for (const socket of [client, onward]) sockets.add(socket.on("error", () => undefined));
    client.pipe(onward).pipe(client);
  });
  const env = { HTTPS_PROXY: `http://127.0.0.1:${await listening(proxy)}`, SSL_CERT_FILE: cert };
  return {
    env,
    logins,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([server, proxy].map((each) => new Promise((closed) => each.close(closed))));
    },
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
}

/** The API of an enterprise server is below `/api/v3/`. Without a login it answers 401. */
async function answer(
  host: FakeHost,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  if (request.headers.authorization === undefined)
    return void response.writeHead(401, { "content-type": "application/json" }).end('{"message":"Requires authentication"}');
  const text = Buffer.concat(await request.toArray()).toString("utf8");
  const answered = await host.ask({
    host: HOST,
    path: (request.url ?? "").replace("/api/v3/", ""),
    etag: request.headers["if-none-match"] ?? null,
    ...(request.method === "POST" ? { body: JSON.parse(text) } : {}),
  });
  if (answered.kind !== "answered") return void response.destroy();
  const json = answered.body === null ? "" : JSON.stringify(answered.body);
  response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), "content-type": "application/json; charset=utf-8" });
  response.end(json);
}
