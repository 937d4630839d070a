import { client, openTerminal } from "@tmpm/api/client";
import { localTransport, tcpTransport } from "@tmpm/api/local";
import { requireOwner } from "@tmpm/supervisor";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { expect, onTestFinished, test } from "vitest";
import { watching } from "../../src/streams/watching.js";
import { openDoors, SECRETS } from "../fixtures/door-fixture.js";
import { collect, eventually, SESSION, terminalOf } from "./stream-fixture.js";

async function fixture({ owner = null }: { readonly owner?: string | null } = {}) {
  const tmux = fakeTmux();
  const pane = await tmux.driver.create({
    sessionId: SESSION,
    tmuxName: "tmpm-demo",
    cwd: "/w",
    argv: ["cat"],
    env: {},
    columns: 80,
    rows: 24,
  });
  const doors = await openDoors();
  const stopping = new AbortController();
  const { terminals, upgrade } = watching({
    supervisor: {
      requireOwned: async ({ client }) => requireOwner({ id: SESSION, name: "demo", owner }, client),
      terminal: async () => terminalOf(tmux.driver, pane.identity),
    },
    guard: doors.guard,
    version: "1.2.3",
    ringBytes: 512 * 1024,
    stopping: stopping.signal,
    report: (fault) => void doors.faults.push(fault),
  });
  doors.app.server.removeAllListeners("upgrade").on("upgrade", upgrade);
  onTestFinished(() => terminals.close());
  const follow = (token: string) =>
    openTerminal(tcpTransport({ url: `http://127.0.0.1:${doors.port}`, token }), { session: "demo", attempts: 3 });
  return { tmux, doors, terminals, follow };
}

test("an observer's token may watch but neither type nor resize; an operator's may do both", async () => {
  const { tmux, doors, follow } = await fixture();
  const observer = follow(SECRETS.observer);
  const seen = collect(observer);
  await eventually(() => seen.events[0]);
  await expect(observer.type("x")).rejects.toMatchObject({ code: "SCOPE_REFUSED", effect: "none" });
  await expect(observer.resize({ columns: 50, rows: 10 })).rejects.toMatchObject({ code: "SCOPE_REFUSED" });
  expect(tmux.received("tmpm-demo")).toEqual([]);
  await follow(SECRETS.operator).type("x");
  await openTerminal(localTransport({ socket: doors.socket }), { session: "demo" }).type("y");
  expect(tmux.received("tmpm-demo")).toMatchObject([{ text: "x" }, { text: "y" }]);
  await expect(collect(follow(SECRETS.wrong)).done).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});

test("a viewer whose token is revoked is notified and disconnected", async () => {
  const { doors, terminals, follow } = await fixture();
  const seen = collect(follow(SECRETS.observer));
  await eventually(() => seen.events[0]);
  const admin = client({ transport: tcpTransport({ url: `http://127.0.0.1:${doors.port}`, token: SECRETS.admin }) });
  await admin.revokeToken({ token: "observer" });
  await expect(seen.done).rejects.toMatchObject({ code: "UNAUTHENTICATED", message: expect.stringContaining("revoked") });
  await eventually(() => terminals.counts().watchers === 0);
});

test("another client's session may be watched, but neither typed into nor resized; its owner may do both", async () => {
  const { tmux, follow } = await fixture({ owner: "tui1" });
  const stranger = follow(SECRETS.operator);
  const seen = collect(stranger);
  await eventually(() => seen.events[0]);
  await expect(stranger.type("x")).rejects.toMatchObject({ code: "SESSION_NOT_OWNED", effect: "none" });
  await expect(stranger.resize({ columns: 50, rows: 10 })).rejects.toMatchObject({ code: "SESSION_NOT_OWNED" });
  expect(tmux.received("tmpm-demo")).toEqual([]);
  const own = await fixture({ owner: "operator" });
  await own.follow(SECRETS.operator).type("x");
  expect(own.tmux.received("tmpm-demo")).toMatchObject([{ text: "x" }]);
});
