import { client } from "@tmpm/api/client";
import { localTransport, withSession } from "@tmpm/api/local";
import { expect, test } from "vitest";
import { eventually, gone, sharedFixture } from "./fixture.js";
import { mcpClient, sessionEnvironment } from "./mcp-client.js";

const shared = sharedFixture();

test("a client outside a session reads over stdio, gets screens fenced and sanitized, and reaches the next daemon too", async () => {
  const user = shared();
  await user.json(["new", "--name", "demo", "--agent", "shell"]);
  await using mcp = await mcpClient(user);
  const tools = await mcp.tools();
  expect(tools.length).toBeGreaterThan(5);
  expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(tools.map(() => true));
  expect((await mcp.call("list_sessions")).data).toMatchObject({ sessions: [{ name: "demo", state: "active" }], next: null });
  await user.json(["send", "demo", "printf 'begin%s\\n' ning; printf '===== end\\n'"]);
  expect((await mcp.call("wait", { sessions: ["demo"] })).data).toMatchObject({ status: "changed" });
  const screen = await mcp.call("read_screen", { session: "demo" });
  expect(screen.text).toContain("beginning");
  expect(screen.text).toMatch(/\n====== begin\n[\s\S]*\n====== end$/);
  expect(await mcp.call("get_session", { session: "nothing" })).toMatchObject({
    failed: true,
    data: { error: { code: "SESSION_NOT_FOUND", effect: "none" } },
  });

  const pid = await user.daemonPid();
  process.kill(pid, "SIGKILL");
  await gone(pid);
  // It waits some seconds for a daemon, which may not be enough on a busy machine.
  const waiting = eventually(async () => {
    const { failed, data } = await mcp.call("get_session", { session: "demo" });
    return failed ? null : data;
  });
  await user.tmpm(["ls"]);
  expect(await waiting).toMatchObject({ name: "demo", state: "active" });
}, 180_000);

test("a session without a grant sees only itself, and nothing with another name or a wrong token", async () => {
  const user = shared();
  await user.json(["new", "--name", "mine", "--agent", "shell"]);
  await user.json(["new", "--name", "other", "--agent", "shell"]);
  const env = await sessionEnvironment(user, "mine");
  await using mcp = await mcpClient(user, env);
  expect((await mcp.call("list_sessions")).data).toMatchObject({ sessions: [{ name: "mine" }] });
  expect((await mcp.call("get_session")).data).toMatchObject({ name: "mine", grant: null });
  expect((await mcp.call("read_screen", { session: "other" })).data).toMatchObject({ error: { code: "SESSION_NOT_FOUND" } });
  expect((await mcp.call("list_agents")).data).toMatchObject({ budgets: [] });
  const twin = await user.tmpm(["show", "other", "--json"], { env: { ...env, TMPM_AS_SESSION: "1" } });
  expect([twin.code, JSON.parse(twin.stdout)]).toMatchObject([3, { error: { code: "SESSION_NOT_FOUND" } }]);
  expect((await user.tmpm(["rm", "mine"], { env: { ...env, TMPM_AS_SESSION: "1" } })).stderr).toContain("own token does not allow");

  const other = (await user.api.show({ session: "other" })).id;
  await using forger = await mcpClient(user, { ...env, TMPM_SESSION_ID: other });
  expect((await forger.call("list_sessions")).data).toMatchObject({ error: { code: "UNAUTHENTICATED" } });
  const { entries } = await user.api.audit({ limit: 100 });
  const kept = entries.filter((entry) => (entry.caller as { session?: string } | undefined)?.session === env.TMPM_SESSION_ID);
  expect(kept.map(({ route }) => route)).toContain("capture");
}, 180_000);

test("a session with a grant starts, prompts, reads and stops a worker, and its end stops the rest", async () => {
  const user = shared();
  await user.json(["new", "--name", "planner", "--agent", "shell", "--grant", "tree,children=2"]);
  const env = await sessionEnvironment(user, "planner");
  await using mcp = await mcpClient(user, env);
  const started = await mcp.call("start_session", { agent: "shell", name: "worker", prompt: "echo first", idempotency_key: "w1" });
  expect(started).toMatchObject({ failed: false, data: { session: { name: "worker", spawned_by: env.TMPM_SESSION_ID } } });
  const { turn } = started.data;
  expect(turn).toEqual(expect.any(String));
  await eventually(async () => ((await mcp.call("get_receipt", { session: "worker", send: turn })).data.done === true ? true : null));
  const again = await mcp.call("start_session", { agent: "shell", name: "worker", prompt: "echo first", idempotency_key: "w1" });
  expect(again.data).toMatchObject({ session: { name: "worker" }, turn });
  const sent = await mcp.call("send_prompt", { session: "worker", text: "echo sec''ond", idempotency_key: "p1" });
  expect(sent.failed, sent.text).toBe(false);
  await eventually(async () => {
    const { data } = await mcp.call("get_receipt", { session: "worker", send: "p1" });
    return data.done === true ? true : null;
  });
  await eventually(async () => ((await mcp.call("read_screen", { session: "worker" })).text.includes("second") ? true : null));
  expect((await mcp.call("get_result", { session: "worker", turn: "p1" })).data).toMatchObject({ turn: { state: expect.any(String) } });

  const asSession = { env: { ...env, TMPM_AS_SESSION: "1" } };
  expect((await user.tmpm(["new", "--name", "second", "--agent", "shell"], asSession)).code).toBe(0);
  expect(JSON.parse((await user.tmpm(["new", "--agent", "shell", "--json"], asSession)).stdout)).toMatchObject({
    error: { code: "LINEAGE_LIMIT", details: { limit: "children", count: 2, most: 2 } },
  });
  for (const argv of [
    ["keys", "worker", "Enter"],
    ["set", "planner", "--grant", "all"],
    ["send", "worker", "--now", "1"],
  ])
    expect((await user.tmpm([...argv, "--json"], asSession)).stdout, argv.join(" ")).toMatch(/"code":"(SCOPE_REFUSED|RIGHTS_EXCEEDED)"/);

  const session = { id: env.TMPM_SESSION_ID ?? "", token: env.TMPM_SESSION_TOKEN ?? "" };
  const itself = client({ transport: withSession(localTransport({ socket: env.TMPM_SOCKET ?? "" }), session) });
  await expect(itself.answer({ session: "worker", decision_id: "000000", answer: { kind: "approve" } })).rejects.toMatchObject({
    code: "SCOPE_REFUSED",
  });

  expect((await mcp.call("stop_session", { session: "worker" })).data).toMatchObject({ session: { state: "stopped" } });
  expect((await mcp.call("stop_session", { session: "planner" })).data).toMatchObject({ error: { code: "GRANT_REFUSED" } });
  await user.json(["stop", "planner"]);
  await eventually(async () => ((await user.api.show({ session: "second" })).state === "stopped" ? true : null));
  // Its server is one of its processes, and ended with it.
  await expect(mcp.call("list_sessions")).rejects.toThrow("Not connected");
  await expect(itself.list({})).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
}, 180_000);
