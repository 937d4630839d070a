import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../src/contract/expect.js";
import { create } from "../src/contract/sessions.js";
import { tmuxDriver } from "../src/index.js";
import { arrivals } from "../src/transport/arrivals.js";
import type { Channel, Request } from "../src/transport/channel.js";
import { TMUX } from "./tested-tmux.js";
import { openTmux } from "./tmux-fixture.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const NOTIFYING: Request = { kind: "mutate", commands: [["if-shell", "-F", "1", "kill-session"]] };
const QUIET: Request = { kind: "read", commands: [["list-panes"]] };

function bench() {
  const asked: Request[] = [];
  let answer: () => void = () => undefined;
  const channel: Channel = {
    ask(request) {
      asked.push(request);
      return new Promise((resolve) => {
        answer = () => resolve({ kind: "answered", output: "" });
      });
    },
  };
  const made = arrivals();
  return { made, asked, channel: made.heeding(channel), answer: () => answer() };
}

function client() {
  let attach: () => void = () => undefined;
  const attached = new Promise<void>((resolve) => {
    attach = resolve;
  });
  return { attached, attach };
}

test("holds only requests that notify clients while a client attaches", async () => {
  const { made, asked, channel } = bench();
  const first = await made.admit(client);
  void channel.ask(NOTIFYING);
  void channel.ask(QUIET);
  await setImmediate();
  expect(asked).toEqual([QUIET]);
  first.attach();
  await setImmediate();
  expect(asked).toEqual([QUIET, NOTIFYING]);
});

test("a client waits for notifying requests and for the client before it", async () => {
  const { made, channel, answer } = bench();
  const started: string[] = [];
  const start = (name: string) => () => {
    started.push(name);
    return client();
  };
  void channel.ask(NOTIFYING);
  const first = made.admit(start("first"));
  const second = made.admit(start("second"));
  await setImmediate();
  expect(started).toEqual([]);
  answer();
  (await first).attach();
  await second;
  expect(started).toEqual(["first", "second"]);
});

test("a client leaves when no other attaches, and the next one waits until it has left", async () => {
  const { made } = bench();
  const left: string[] = [];
  let go: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const first = await made.admit(client);
  made.depart({ leave: () => left.push("old"), gone });
  await setImmediate();
  expect(left).toEqual([]);
  first.attach();
  await setImmediate();
  expect(left).toEqual(["old"]);
  let arrived = false;
  const second = made.admit(client).then(() => {
    arrived = true;
  });
  await setImmediate();
  expect(arrived).toBe(false);
  go();
  await second;
});

test("a client that cannot be started delays no request", async () => {
  const { made, asked, channel } = bench();
  const failing = made.admit(() => {
    throw new Error("no more processes");
  });
  await expect(failing).rejects.toThrow("no more processes");
  void channel.ask(NOTIFYING);
  await setImmediate();
  expect(asked).toEqual([NOTIFYING]);
});

test("a session counts as created once no client is attaching, so that later requests are safe", async () => {
  const fixture = await openTmux({}, tmuxDriver);
  const gate = join(fixture.folder, "gate");
  const slowlyArriving = join(fixture.folder, "tmux");
  const arrive = `case "$*" in *" -C "*) until [ -e "${gate}" ]; do sleep 0.02; done;; esac; exec ${TMUX} "$@"`;
  await writeFile(slowlyArriving, `#!/bin/sh\n${arrive}\n`, { mode: 0o700 });
  const driver = fixture.another({ tmux: slowlyArriving });
  onTestFinished(() => driver.close());
  let created = false;
  const creating = create({ ...fixture, driver }, { id: "first", argv: ["cat"] }).then(() => {
    created = true;
  });
  await eventually(
    () => driver.list(),
    (panes) => panes.kind === "present" && panes.value.length === 1,
  );
  await fixture.tmux("list-panes");
  expect(created).toBe(false);
  await writeFile(gate, "");
  await creating;
  expect(await fixture.tmux("list-clients", "-F", "#{client_control_mode}")).toBe("1\n");
});

test("a server survives clients that attach while sessions start and end", { timeout: 60_000 * scale }, async () => {
  const rounds = scale < 10 ? 3 * scale : 10 * scale;
  const fixture = await openTmux({}, tmuxDriver);
  const { driver } = fixture;
  const watched = await create(fixture, { id: "watched", argv: ["cat"] });
  const [server] = (await fixture.tmux("display-message", "-p", "#{pid}")).split("\n");
  const watching = async () => {
    for (let round = 0; round < 2 * rounds; round += 1) (await driver.output(watched.identity, () => undefined)).close();
  };
  const making = async (lane: number) => {
    for (let round = 0; round < rounds; round += 1) {
      const pane = await create(fixture, { id: `made-${lane}-${round}`, argv: ["cat"] });
      await driver.kill(pane.identity, { graceMs: 1000 });
    }
  };
  await Promise.all([watching(), ...[1, 2, 3, 4].map(making)]);
  expect((await fixture.tmux("display-message", "-p", "#{pid}")).split("\n")[0]).toBe(server);
});
