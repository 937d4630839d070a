import type { ProcessTable } from "@tmpm/processes";
import { expect, test } from "vitest";
import { listPanes, seePanes } from "../src/observe/find.js";
import { knownRoots } from "../src/observe/known-roots.js";
import { knownServer, type ObserveContext } from "../src/server/server-context.js";
import type { Channel } from "../src/transport/channel.js";

const SERVER = 4242;

/** A server with one pane whose program has exited with 3, and is collected after the given number of observations. */
function serverThatCollectsAfter(looks: number): ObserveContext {
  let looked = 0;
  const row = () => {
    const collected = looked++ >= looks;
    const safe = ["%0", "$0", "77", "1", collected ? "3" : "", "", "1790000000", "0", "80", "24", "1790000000", "/dev/pts/9", "one"];
    return `tmpm-m-pane\t${[...safe, "one", ""].join("\t")}\n`;
  };
  const channel: Channel = {
    ask: async ({ commands }) => ({
      kind: "answered",
      output: `tmpm-m-server\t${SERVER}\t1790000000\t3.3a\n${commands.some(([name]) => name === "list-panes") ? row() : ""}`,
    }),
  };
  const processes: ProcessTable = {
    all: async () => [],
    some: async () => new Map(),
    withEnvironment: async () => [],
    marked: async () => new Map(),
    inTmux: async () => new Map(),
    withTerminalOf: async () => [],
  };
  return { socket: "/tmp/s", channel, processes, known: knownServer(processes), roots: knownRoots(), now: Date.now, nonce: () => "m" };
}

test.each([
  ["listing", listPanes],
  ["watching", seePanes],
])("%s trusts a missing exit status only after the program is gone", async (_, look) => {
  const collected = await look(serverThatCollectsAfter(1));
  expect(collected).toMatchObject({ value: [{ exit: { status: 3, signal: null } }] });
  expect(await look(serverThatCollectsAfter(9))).toMatchObject({ value: [{ exit: { status: null, signal: null } }] });
});
