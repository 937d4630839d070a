import { spawn } from "node:child_process";
import { test } from "vitest";
import { eventually } from "../src/contract/expect.js";
import { create } from "../src/contract/sessions.js";
import { type PaneInfo, type ServerEvent, tmuxDriver } from "../src/index.js";
import { TMUX } from "./tested-tmux.js";
import { openTmux, type TmuxFixture } from "./tmux-fixture.js";

const WAITS = ["/bin/sh", "-c", "exec cat"] as const;

/** A connected driver, and its events. */
async function open(pollMs: number) {
  const fixture = await openTmux({ pollMs }, tmuxDriver);
  const events: ServerEvent[] = [];
  fixture.driver.watch((event) => events.push(event));
  const pane = await create(fixture, { id: "first", argv: WAITS });
  await connected(fixture);
  return { fixture, events, pane };
}

const connected = ({ driver }: TmuxFixture) =>
  eventually(
    async () => driver.transport,
    (transport) => transport === "control",
  );

test("reports exits at once, without a poll", async () => {
  const { fixture, events } = await open(60_000);
  const panes: PaneInfo[] = [];
  for (let index = 0; index < 4; index++) panes.push(await create(fixture, { id: `p${index}`, argv: ["/bin/sh", "-c", "read -r _"] }));
  for (const { identity } of panes) await fixture.driver.keys(identity, ["Enter"]);
  const reported = ({ identity }: PaneInfo) => events.some((event) => event.type === "exited" && event.pane.pane_id === identity.pane_id);
  // A tmux with libutempter occasionally misses the end of a program; then the next poll finds it.
  await eventually(
    async () => panes.filter(reported).length,
    (count) => count >= 2,
  );
});

test("requests a look after the connection was lost", async () => {
  const { fixture, events } = await open(100);
  await eventually(
    async () => events,
    (reported) => reported.some(({ type }) => type === "opened"),
  );
  const from = events.length;
  const [client = ""] = (await fixture.tmux("list-clients", "-F", "#{client_pid}")).split("\n");
  process.kill(Number(client), "SIGKILL");
  await eventually(
    async () => events.slice(from),
    (reported) => reported.some(({ type }) => type === "look"),
  );
  await connected(fixture);
});

test("reports viewers that attach and detach, and a new name, at once", async () => {
  const { fixture, events, pane } = await open(60_000);
  const reported = (wanted: object) =>
    eventually(
      async () => events,
      (all) => all.some((event) => includes(event, wanted)),
    );
  await reported({ type: "opened", sessionId: pane.sessionId });
  const person = spawn(TMUX, ["-u", "-S", fixture.socketPath, "-C", "attach-session", "-t", pane.identity.pane_id]);
  await reported({ type: "viewers", viewers: 1 });
  person.stdin.end();
  await reported({ type: "viewers", viewers: 0 });
  await fixture.tmux("rename-session", "-t", pane.identity.pane_id, "renamed");
  await reported({ type: "renamed", sessionId: pane.sessionId, tmuxName: "renamed" });
});

function includes(event: object, wanted: object): boolean {
  const has = Object.entries(event);
  return Object.entries(wanted).every(([key, value]) => has.some(([name, other]) => name === key && other === value));
}
