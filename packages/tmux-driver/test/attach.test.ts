import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { eventually, present } from "../src/contract/expect.js";
import { create, ended, recorder, shows } from "../src/contract/sessions.js";
import { TMUX } from "./tested-tmux.js";
import { openTmux } from "./tmux-fixture.js";

test("a user's terminal attaches to exactly its session, counts as a viewer, and detaches", async () => {
  const fixture = await openTmux();
  const outer = await openTmux();
  const argv = ["/bin/sh", "-c", "echo this-is-$TMPM_SESSION_ID; exec sleep 1000"] as const;
  await create(fixture, { id: "a-10", argv });
  const pane = await create(fixture, { id: "a-1", argv });
  const terminal = await create(outer, { id: "outer", argv: ["env", "-u", "TMUX", ...fixture.driver.attachCommand(pane.identity)] });
  const screen = await shows(outer, { pane: terminal, text: "this-is-" });
  expect(screen.lines[0]).toBe(`this-is-${pane.sessionId}`);
  expect(screen.lines.at(-1)).toMatch(/^\[a-1\]/);
  const viewers = async () => Object.fromEntries(present(await fixture.driver.list()).map((info) => [info.tmuxName, info.viewers]));
  expect(await viewers()).toEqual({ "a-10": 0, "a-1": 1 });
  // Together they would look like a paste to the inner tmux.
  await outer.driver.keys(terminal.identity, ["C-b"]);
  await outer.driver.keys(terminal.identity, ["d"]);
  expect((await ended(outer, terminal)).exit?.status).toBe(0);
  expect(await viewers()).toEqual({ "a-10": 0, "a-1": 0 });
});

test("passes 24-bit colours to a terminal whose user declares support", async () => {
  const fixture = await openTmux();
  const outer = await openTmux();
  const pane = await recorder(fixture, { id: "one" });
  const attach = fixture.driver.attachCommand(pane.identity, { trueColor: true });
  expect(attach.slice(1, 4)).toEqual(["-u", "-T", "RGB"]);
  expect(fixture.driver.attachCommand(pane.identity)).not.toContain("-T");
  await create(outer, { id: "outer", argv: ["env", "-u", "TMUX", ...attach] });
  const clients = () => fixture.tmux("list-clients", "-F", "#{client_control_mode} #{client_termfeatures}");
  expect(await eventually(clients, (text) => /^0 /m.test(text))).toMatch(/^0 .*\bRGB\b/m);
});

test("attaching to a pane of a former server, or to a missing one, fails and starts nothing", async () => {
  const fixture = await openTmux();
  const outer = await openTmux();
  const old = await recorder(fixture, { id: "one" });
  await fixture.endServer();
  const attach = async (id: string) => {
    const terminal = await create(outer, { id, argv: ["env", "-u", "TMUX", ...fixture.driver.attachCommand(old.identity)] });
    return (await ended(outer, terminal)).exit?.status;
  };
  expect(await attach("none")).toBe(1);
  expect((await fixture.driver.server()).kind).toBe("absent");
  const now = await recorder(fixture, { id: "two" });
  expect(await attach("other")).toBe(1);
  expect(present(await fixture.driver.find(now.identity)).viewers).toBe(0);
});

test("our control clients are not viewers, a user's clients are", async () => {
  const fixture = await openTmux();
  const pane = await recorder(fixture, { id: "one" });
  const attach = (flags: string) =>
    spawn(TMUX, ["-u", "-S", fixture.socketPath, "-C", "attach-session", "-f", flags, "-t", pane.identity.pane_id]);
  const clients = async () => (await fixture.tmux("list-clients")).split("\n").length - 1;
  // One after another: tmux crashes when it notifies a client that is not fully connected.
  const ours = attach("no-output,ignore-size");
  await eventually(clients, (count) => count === 1);
  const theirs = attach("no-output");
  await eventually(
    async () => present(await fixture.driver.find(pane.identity)).viewers,
    (viewers) => viewers === 1,
  );
  theirs.stdin.end();
  await eventually(
    async () => present(await fixture.driver.find(pane.identity)).viewers,
    (viewers) => viewers === 0,
  );
  expect(await clients()).toBe(1);
  ours.stdin.end();
});
