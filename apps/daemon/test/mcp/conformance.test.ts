import { existsSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { openDoors, SECRETS } from "../fixtures/door-fixture.js";

/** The folder of `npm install @modelcontextprotocol/conformance@0.1.16`, which requires Node 22. */
const FOLDER = process.env.TMPM_TEST_MCP_CONFORMANCE ?? "";
const PROGRAM = join(FOLDER, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const isThere = FOLDER !== "" && existsSync(PROGRAM);

/** The other scenarios require a server with the suite's own tools, prompts and resources. */
const SCENARIOS = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

test("the tools over HTTP pass the conformance suite of the protocol", { timeout: 300_000 }, async ({ skip }) => {
  skip(!isThere, "the MCP conformance suite is not installed: name its folder in TMPM_TEST_MCP_CONFORMANCE");
  const doors = await openDoors();
  const url = await withToken(doors.port);
  for (const scenario of SCENARIOS) {
    const { exitCode, all } = await execa(process.execPath, [PROGRAM, "server", "--url", url, "--scenario", scenario], {
      all: true,
      reject: false,
      cwd: doors.root,
    });
    expect(exitCode, all).toBe(0);
  }
});

/** The suite does not send a token: this proxy adds one, and forwards everything else, with the daemon's address in place of its own. */
async function withToken(port: number): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const own = String((server.address() as AddressInfo).port);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [
        name,
        name === "host" || name === "origin" ? String(value).replace(`localhost:${own}`, `127.0.0.1:${port}`) : value,
      ]),
    );
    const passed = request(
      {
        port,
        host: "127.0.0.1",
        path: incoming.url,
        method: incoming.method,
        headers: { ...headers, authorization: `Bearer ${SECRETS.observer}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  onTestFinished(() => void server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}/mcp`;
}
