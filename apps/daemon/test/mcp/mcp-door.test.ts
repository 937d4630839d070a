import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SESSION_HEADER } from "@tmpm/api";
import { expect, test } from "vitest";
import { checkAudit } from "../../src/audit/check-audit.js";
import { written } from "../../src/requests/answer.js";
import { openDoors, SECRETS, SESSION, SESSION_SECRET } from "../fixtures/door-fixture.js";

const LISTED = { sessions: [], problems: [], store: { state: "ok", message: null }, next: null } as const;

const NOTHING = { requests: 0, tokens: {}, cost_usd: 0, unpriced_models: [] } as const;

async function fixture() {
  const actors: (string | null)[] = [];
  const doors = await openDoors({
    handlers: {
      list: async (_input, { actor }) => {
        actors.push(actor);
        return written(Buffer.from(JSON.stringify(LISTED)), null);
      },
      agents: async () => ({ agents: [], next: null }),
      usage: async () => ({ by: "session" as const, groups: [], total: NOTHING, budgets: [], prices: null }) as never,
    },
  });
  const url = new URL(`http://127.0.0.1:${doors.port}/mcp`);
  return { ...doors, actors, url };
}

async function connected(url: URL, headers: Readonly<Record<string, string>>) {
  const mcp = new Client({ name: "test", version: "1" });
  await mcp.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } } }));
  return { mcp, names: (await mcp.listTools()).tools.map(({ name }) => name), [Symbol.asyncDispose]: () => mcp.close() };
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

test("tools over HTTP depend on the token's scope, and each call is its caller's own request", async () => {
  const { url, actors, calls } = await fixture();
  await using observer = await connected(url, bearer(SECRETS.observer));
  expect(observer.names).toContain("list_sessions");
  expect(observer.names).not.toContain("stop_session");
  const answer = await observer.mcp.callTool({ name: "list_sessions", arguments: {} });
  expect(answer.structuredContent).toEqual({ sessions: [], next: null });
  await using operator = await connected(url, bearer(SECRETS.operator));
  expect(operator.names).toContain("stop_session");
  expect(operator.names).not.toContain("ask_human");
  await using session = await connected(url, { ...bearer(SESSION_SECRET), [SESSION_HEADER]: SESSION });
  expect(session.names).toContain("ask_human");
  await session.mcp.callTool({ name: "list_sessions", arguments: {} });
  expect(actors).toEqual([null, SESSION]);
  expect(calls).toEqual(["list", "list"]);
});

test("a session lists the agents and what remains of its budgets", async () => {
  const { url, calls } = await fixture();
  await using session = await connected(url, { ...bearer(SESSION_SECRET), [SESSION_HEADER]: SESSION });
  const answer = await session.mcp.callTool({ name: "list_agents", arguments: {} });
  expect([answer.isError ?? false, answer.structuredContent]).toEqual([false, { agents: [], budgets: [], next: null }]);
  expect(calls).toEqual(["agents", "usage"]);
});

test("the audit log has the source of a tool's call, and no header of a request stands for another caller", async () => {
  const { url, dir, guard, port } = await fixture();
  await using session = await connected(url, { ...bearer(SESSION_SECRET), [SESSION_HEADER]: SESSION });
  await session.mcp.callTool({ name: "list_sessions", arguments: {} });
  const recorded = async () => (await checkAudit(dir, { limit: 100 })).entries.filter(({ kind }) => kind === "request");
  await expect.poll(recorded).toMatchObject([{ route: "list", caller: { kind: "session", peer: "127.0.0.1", session: SESSION } }]);
  const admitted: unknown[] = [];
  const first = { method: "GET", url: "/v1/sessions", headers: { host: "localhost" }, rawHeaders: ["host", "localhost"] };
  await guard.onBehalfOf(first as never, async (behalf) => {
    const forged = await fetch(`http://127.0.0.1:${port}/v1/sessions`, { headers: behalf });
    admitted.push(forged.status);
  });
  expect(admitted).toEqual([401]);
});

test("a token that used tools can be revoked, and loses its connections", async () => {
  const { url, guard } = await fixture();
  await using observer = await connected(url, bearer(SECRETS.observer));
  await observer.mcp.callTool({ name: "list_sessions", arguments: {} });
  guard.connections.end("observer");
  await expect.poll(() => guard.connections.tokens()).not.toContain("observer");
});

test("tools are refused without a token, with a wrong one, from a web page or under another host name", async () => {
  const { url } = await fixture();
  const ask = (headers: Readonly<Record<string, string>>, method = "POST") =>
    fetch(url, {
      method,
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      ...(method === "POST" ? { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }) } : {}),
    }).then(({ status }) => status);
  expect(await ask({})).toBe(401);
  expect(await ask(bearer(SECRETS.wrong))).toBe(401);
  expect(await ask({ ...bearer(SESSION_SECRET), [SESSION_HEADER]: "11111111-2222-4333-8444-555555555555" })).toBe(401);
  expect(await ask({ ...bearer(SECRETS.observer), origin: "http://evil.example" })).toBe(403);
  expect(await ask(bearer(SECRETS.observer))).toBe(200);
  expect(await ask(bearer(SECRETS.observer), "GET")).toBe(405);
});
