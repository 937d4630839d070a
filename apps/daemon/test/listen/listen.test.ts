import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { request as requestTls } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenSocket } from "../../src/listen/listen-socket.js";
import { tcpAddress } from "../../src/listen/tcp-address.js";
import { tcpEntrance } from "../../src/listen/tcp-entrance.js";
import { openDoors, SECRETS, SESSION, SESSION_SECRET } from "../fixtures/door-fixture.js";
import { rawRequest, requestText } from "../fixtures/raw-request.js";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-listen-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

describe("the socket", () => {
  test("is the only entrance by default, mode 0600 in a folder of mode 0700", async () => {
    const { socket, doors } = await openDoors({ tcp: null });
    expect(doors.tcp).toBeNull();
    expect([lstatSync(socket).mode & 0o777, lstatSync(dirname(socket)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  test.skipIf(!isRoot())("accepts none of 100 connections of other users, by its path or around its folder", async () => {
    const { socket, root } = await openDoors({ tcp: null });
    const outside = folder();
    chmodSync(outside, 0o755);
    chmodSync(root, 0o755);
    const script = `
        const { connect } = require("node:net");
        let left = 100, connected = 0;
        const next = () => { if (left-- === 0) return console.log(connected);
          const s = connect(process.argv[1]); s.on("connect", () => { connected += 1; s.destroy(); next(); }); s.on("error", next); };
        next();`;
    const attempt = (path: string) => asAnother(script, path);
    expect(await attempt(socket)).toBe("0");
    // The folder's mode is not the only protection: the socket itself is private too.
    chmodSync(dirname(socket), 0o755);
    expect(await attempt(socket)).toBe("0");
    chmodSync(socket, 0o666);
    expect(await attempt(socket)).toBe("100");
    chmodSync(socket, 0o600);
    chmodSync(dirname(socket), 0o700);
  });

  test("is recreated when its file is removed, moved or replaced by a link, ten times, and open connections survive", async () => {
    const path = join(folder(), "run", "s");
    const faults: unknown[] = [];
    const make = () => createServer((_request, response) => response.end("here"));
    const opened = await listenSocket({ path, server: make, report: (fault) => void faults.push(fault), checkMs: 5 });
    onTestFinished(() => opened.close());
    const old = connect(path);
    await new Promise((resolve) => old.once("connect", resolve));
    for (let n = 0; n < 10; n++) {
      if (n % 3 === 0) rmSync(path);
      else renameSync(path, `${path}-${n}`);
      if (n % 3 === 2) symlinkSync("/dev/null", path);
      await expect.poll(async () => (await rawRequest({ path }, requestText("GET /", [["host", "x"]]))).body).toBe("here");
      expect(lstatSync(path).mode & 0o777).toBe(0o600);
    }
    expect(faults).toEqual([]);
    old.write(
      requestText("GET /", [
        ["host", "x"],
        ["connection", "close"],
      ]),
    );
    expect(String(await new Promise((resolve) => old.once("data", resolve)))).toContain("here");
  });

  test("closes its connections also when its file cannot be moved away", async () => {
    const path = join(folder(), "run", "s");
    const faults: unknown[] = [];
    const make = () => createServer((_request, response) => response.end("here"));
    const opened = await listenSocket({ path, server: make, report: (fault) => void faults.push(fault) });
    const idle = connect(path);
    await new Promise((resolve) => idle.once("connect", resolve));
    mkdirSync(join(`${path}.closing`, "taken"), { recursive: true });
    const closed = new Promise((resolve) => idle.once("close", resolve));
    await opened.close();
    await closed;
    expect(faults).toMatchObject([{ doing: `removing the socket ${path}` }]);
  });

  test("closes despite idle connections and unfinished requests, but not before a pending answer is sent", async () => {
    const path = join(folder(), "run", "s");
    const waiting: ServerResponse[] = [];
    const make = () => createServer((_request, response) => void waiting.push(response));
    const opened = await listenSocket({ path, report: () => undefined, server: make });
    const idle = [connect(path), connect(path)].map((socket) => socket.on("error", () => undefined));
    idle[1]?.write("GET / HTTP/1.1\r\nHo");
    const asked = rawRequest({ path }, requestText("GET /", [["host", "x"]]));
    await expect.poll(() => waiting.length).toBe(1);
    const closing = opened.close().then(() => "closed");
    await expect.poll(() => idle.every((socket) => socket.closed)).toBe(true);
    expect(await Promise.race([closing, "open"])).toBe("open");
    waiting[0]?.end("late");
    expect((await asked).body).toBe("late");
    await closing;
  });

  test("an ordinary file in the socket's place is kept and reported", async () => {
    const path = join(folder(), "run", "s");
    const faults: { readonly error: unknown }[] = [];
    const opened = await listenSocket({ path, server: () => createServer(), report: (fault) => void faults.push(fault), checkMs: 5 });
    onTestFinished(() => opened.close());
    rmSync(path);
    writeFileSync(path, "mine");
    await expect.poll(() => faults.length > 0 || lstatSync(path).isSocket()).toBe(true);
    if (faults.length > 0) expect([existsSync(path), faults[0]?.error]).toMatchObject([true, { code: "UNSAFE_PATH" }]);
  });
});

/** The script of another user's program. It cannot read files of this user, so it is passed as text. */
function asAnother(script: string, argument: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["-e", script, argument], {
      uid: 65_534,
      gid: 65_534,
      cwd: "/",
      env: {},
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk) => (text += String(chunk)));
    child.on("error", reject);
    child.on("close", () => resolve(text.trim()));
  });
}

describe("TCP", () => {
  test("a TCP port needs a literal address, and beyond this machine a certificate", () => {
    expect(tcpAddress({})).toBeNull();
    const plain = { tls: null };
    expect(tcpAddress({ TMPM_LISTEN: "127.0.0.1:7777" })).toEqual({ host: "127.0.0.1", port: 7777, ...plain });
    expect(tcpAddress({ TMPM_LISTEN: "127.1.2.3:0" })).toEqual({ host: "127.1.2.3", port: 0, ...plain });
    expect(tcpAddress({ TMPM_LISTEN: "[::1]:7777" })).toEqual({ host: "::1", port: 7777, ...plain });
    const refused = (env: Record<string, string>) =>
      expect(() => tcpAddress(env), JSON.stringify(env)).toThrow(expect.objectContaining({ code: "LISTEN_REFUSED" }));
    for (const address of ["0.0.0.0:7777", "[::]:7777", "192.0.2.1:7777", "[2001:db8::1]:1", "[::ffff:192.0.2.1]:1", "169.254.1.1:1"])
      refused({ TMPM_LISTEN: address });
    for (const address of [
      "7777",
      ":7777",
      "localhost:7777",
      "127.0.0.1",
      "::1:7777",
      "127.0.0.1:70000",
      "127.1:80",
      "example.com:80",
      "127.0.0.1:1 ",
    ])
      refused({ TMPM_LISTEN: address });
    refused({ TMPM_LISTEN: "127.0.0.1:1", TMPM_TLS_CERT: "/nonexistent" });
    refused({ TMPM_TLS_CERT: "/nonexistent", TMPM_TLS_KEY: "/nonexistent" });
    refused({ TMPM_LISTEN: "0.0.0.0:1", TMPM_TLS_CERT: "/nonexistent", TMPM_TLS_KEY: "/nonexistent" });
    expect(() => tcpAddress({ TMPM_LISTEN: "0.0.0.0:7777" })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("ssh -N -L") }),
    );
  });

  test("a port in use is reported, and the socket is closed again", async () => {
    const { port } = await openDoors();
    await expect(openDoors({ tcp: { host: "127.0.0.1", port, tls: null } })).rejects.toMatchObject({ code: "LISTEN_FAILED" });
  });

  test("the oldest idle connections are dropped when there are too many, while requests with a token are served", {
    timeout: 180_000,
  }, async () => {
    const { port } = await openDoors();
    const idle = Array.from({ length: 80 }, () => connect({ host: "127.0.0.1", port }).on("error", () => undefined));
    await expect.poll(() => idle.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(16);
    const good = requestText("GET /v1/sessions", [
      ["host", `127.0.0.1:${port}`],
      ["authorization", `Bearer ${SECRETS.observer}`],
    ]);
    for (let n = 0; n < 5; n++) expect((await rawRequest({ host: "127.0.0.1", port }, good)).status).toBe(200);
    for (const socket of idle) socket.destroy();
  });

  test.each([
    ["the login page", "GET /login", []],
    ["a session's token that is not one", `GET /v1/sessions/${SESSION}`, [["authorization", `Bearer ${"x".repeat(43)}`]]],
    ["a wrong token", "GET /v1/sessions", [["authorization", `Bearer ${SECRETS.wrong}`]]],
  ] as const)("callers of %s count as unauthenticated, and push out no others", async (_, line, headers) => {
    const { port } = await openDoors();
    const send = (more: readonly (readonly [string, string])[]) => {
      const socket = connect(port, "127.0.0.1").resume();
      socket.on("error", () => undefined);
      socket.write(requestText(line, [["host", `127.0.0.1:${port}`], ...more]));
      return socket;
    };
    const session = connect(port, "127.0.0.1");
    const own = [
      ["host", `127.0.0.1:${port}`],
      ["authorization", `Bearer ${SESSION_SECRET}`],
    ] as const;
    const answers = () => new Promise<string>((resolve) => void session.once("data", (piece) => resolve(String(piece).slice(0, 12))));
    session.write(requestText(`GET /v1/sessions/${SESSION}`, own));
    expect(await answers()).toBe("HTTP/1.1 200");
    const strangers = Array.from({ length: 80 }, () => send(headers));
    await expect.poll(() => strangers.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(16);
    session.write(requestText(`GET /v1/sessions/${SESSION}`, own));
    expect(await answers()).toBe("HTTP/1.1 200");
    for (const socket of [session, ...strangers]) socket.destroy();
  });

  test.skipIf(!hasOpenssl())("TLS uses the names of its certificate, and its cookie is limited to TLS", async () => {
    const dir = folder();
    const [cert, key] = [join(dir, "cert.pem"), join(dir, "key.pem")];
    const subject = ["-subj", "/CN=tmpm", "-addext", "subjectAltName=DNS:tmpm.example,DNS:*.wild.example,IP:127.0.0.1,IP:FD00::0:1"];
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "1",
        "-keyout",
        key,
        "-out",
        cert,
        ...subject,
      ],
      {
        stdio: "ignore",
      },
    );
    chmodSync(key, 0o644);
    const env = { TMPM_LISTEN: "127.0.0.1:0", TMPM_TLS_CERT: cert, TMPM_TLS_KEY: key };
    expect(() => tcpAddress(env)).toThrow(/readable by other users/);
    chmodSync(key, 0o600);
    const { doors, port, socket } = await openDoors({ tcp: tcpAddress(env) });
    expect(doors.tcp?.url).toBe(`https://127.0.0.1:${port}`);
    const ask = async (host: string) =>
      (await overTls(port, { method: "GET", path: "/v1/sessions", headers: { host, authorization } })).statusCode;
    expect(await ask(`tmpm.example:${port}`)).toBe(200);
    // As clients write the address.
    expect([await ask(`[fd00::1]:${port}`), await ask(`[fd00::2]:${port}`)]).toEqual([200, 421]);
    // Connections without a handshake count as unauthenticated too.
    const silent = Array.from({ length: 80 }, () => connect(port, "127.0.0.1"));
    await expect.poll(() => silent.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(16);
    expect(await ask(`tmpm.example:${port}`)).toBe(200);
    for (const each of silent) each.destroy();
    expect([await ask(`a.wild.example:${port}`), await ask("tmpm.example"), await ask(`other.example:${port}`)]).toEqual([421, 421, 421]);
    expect(doors.tcp?.entrance.loginUrl).toBe(`https://tmpm.example:${port}/login`);
    const made = await rawRequest({ path: socket }, requestText("POST /v1/login-codes", [["host", "localhost"]], "{}"));
    const host = `tmpm.example:${port}`;
    const headers = { host, origin: `https://${host}`, "content-type": "application/json" };
    const entered = await overTls(port, {
      method: "POST",
      path: "/v1/login",
      headers,
      body: JSON.stringify({ code: JSON.parse(made.body).code }),
    });
    expect([entered.statusCode, entered.headers["set-cookie"]?.[0]]).toEqual([200, expect.stringMatching(/; Secure$/)]);
  });

  test("the scheme's default port also matches without the port", () => {
    const entrance = (port: number) => tcpEntrance({ address: { host: "127.0.0.1", port, tls: null }, label: "x", published: null });
    expect([entrance(80).hosts.has("localhost"), entrance(81).hosts.has("localhost")]).toEqual([true, false]);
  });
});

const authorization = `Bearer ${SECRETS.observer}`;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function overTls(port: number, { body = "", ...asked }: Sent): Promise<IncomingMessage> {
  // The owner of the certificate is irrelevant here.
  const options = { host: "127.0.0.1", port, rejectUnauthorized: false, agent: false, ...asked };
  return new Promise((resolve, reject) => {
    const request = requestTls(options, (response) => resolve(response.resume()));
    request.on("error", reject);
    request.end(body);
  });
}

function isRoot(): boolean {
  const root = process.getuid?.() === 0;
  if (!root) console.info("skipped: only root can become another user");
  return root;
}

function hasOpenssl(): boolean {
  const found = spawnSync("openssl", ["version"]).status === 0;
  if (!found) console.info("skipped: openssl is not installed");
  return found;
}
