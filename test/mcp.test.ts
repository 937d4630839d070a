import { expect, test } from "vitest";
import { mcpClient, sessionEnvironment } from "./mcp-client.js";
import { gone, world } from "./world.js";

test("a client outside of any session reads over stdio, what a screen shows is fenced and harmless, and a restarted daemon is waited for", async () => {
  await using user = await world();
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
  const waiting = mcp.call("get_session", { session: "demo" });
  await user.tmpm(["ls"]);
  expect((await waiting).data).toMatchObject({ name: "demo", state: "active" });
}, 180_000);

test("a session sees itself alone without a grant, and with another session's name or a wrong token nothing", async () => {
  await using user = await world();
  await user.json(["new", "--name", "mine", "--agent", "shell"]);
  await user.json(["new", "--name", "other", "--agent", "shell"]);
  const env = await sessionEnvironment(user, "mine");
  await using mcp = await mcpClient(user, env);
  expect((await mcp.call("list_sessions")).data).toMatchObject({ sessions: [{ name: "mine" }] });
  expect((await mcp.call("get_session")).data).toMatchObject({ name: "mine", grant: null });
  expect((await mcp.call("read_screen", { session: "other" })).data).toMatchObject({ error: { code: "GRANT_REFUSED" } });
  const twin = await user.tmpm(["show", "other", "--json"], { env: { ...env, TMPM_AS_SESSION: "1" } });
  expect([twin.code, JSON.parse(twin.stdout)]).toMatchObject([4, { error: { code: "GRANT_REFUSED" } }]);
  expect((await user.tmpm(["rm", "mine"], { env: { ...env, TMPM_AS_SESSION: "1" } })).stderr).toContain("own token does not allow");

  const other = (await user.api.show({ session: "other" })).id;
  await using forger = await mcpClient(user, { ...env, TMPM_SESSION_ID: other });
  expect((await forger.call("list_sessions")).data).toMatchObject({ error: { code: "UNAUTHENTICATED" } });
  const { entries } = await user.api.audit({ limit: 100 });
  const kept = entries.filter((entry) => (entry.caller as { session?: string } | undefined)?.session === env.TMPM_SESSION_ID);
  expect(kept.map(({ route }) => route)).toContain("capture");
}, 180_000);
