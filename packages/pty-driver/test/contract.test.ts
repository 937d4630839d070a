import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listHolders } from "@tmpm/holder";
import { processTable, processTree, until } from "@tmpm/processes";
import type { ServerInfo, TmuxDriver } from "@tmpm/tmux-driver";
import { type ContractHarness, tmuxDriverContract } from "@tmpm/tmux-driver/contract";
import { afterEach, expect, test } from "vitest";
import type { PtyDriver } from "../src/index.js";
import { makeBed, type PtyBed, script } from "./pty-bed.js";

/** What tmux has and a PTY of ours has not: a server, copy mode, terminals of other people; the rest of the contract is the same. */
const OF_TMUX = [
  /before the first create/,
  /created pane is found with its tag/,
  /what tmux would expand/,
  /after the server has ended/,
  /a pane id that another server gave again/,
  /name that tmux rewrites/,
  /names that begin alike/,
  /adopted|a pane of another session|released/,
  /directory of a pane/,
  /did not create/,
  /somebody scrolls/,
  /dead pane refuses input, and its server/,
  /a server that does not answer/,
  /renamed session keeps its pane/,
  /is gone, or of another server, has no output/,
  /foreign|is not ours|not one of ours|other people/i,
];

const table = processTable();
const open = new Set<PtyBed>();
afterEach(async () => {
  for (const bed of open) await bed.close();
  open.clear();
});

tmuxDriverContract({
  test: (title, run) => void (OF_TMUX.some((pattern) => pattern.test(title)) ? undefined : test(title, run)),
  open: openHarness,
});

test("the parts of the contract that are tmux's own are the only ones left out", () => {
  const titles: string[] = [];
  tmuxDriverContract({ test: (title) => void titles.push(title), open: openHarness });
  expect(titles.filter((title) => OF_TMUX.some((pattern) => pattern.test(title))).length).toBeLessThanOrEqual(titles.length / 2);
});

async function openHarness(): Promise<ContractHarness> {
  const bed = await makeBed();
  open.add(bed);
  const signal = async (name: NodeJS.Signals) => {
    for (const found of await listHolders(bed.base)) if (found.kind === "running") process.kill(found.facts.pid, name);
  };
  return {
    driver: asTmux(bed.driver, bed.base),
    impatient: asTmux(bed.another({ patienceMs: 300 }), bed.base),
    unique: randomUUID().slice(0, 8),
    cwd: bed.cwd,
    missingDirectory: join(bed.folder, "missing"),
    programs: {
      recorder: ({ framed }) =>
        script(`stty raw -echo; printf '${framed ? "\\033[?2004h" : ""}ready'; exec cat > "$1/$TMPM_SESSION_ID.received"`, bed.folder),
      exit: ({ status, output }) => script('printf "%s\\n" "$2"; exit "$1"', String(status), output),
      lines: (count) => script('i=1; while [ $i -le "$1" ]; do echo "line $i"; i=$((i+1)); done; exec sleep 1000', String(count)),
      report: (words) =>
        script('for word in "$@" "$(pwd)" "$CONTRACT_VALUE"; do printf "<%s>\\n" "$word"; done; exec sleep 1000', ...words),
      lineReader: () => script("echo ready; exec cat"),
      stubborn: () => script("trap '' HUP; sleep 1000 & echo ready; while :; do sleep 1000; done"),
    },
    async received(id) {
      try {
        return readFileSync(join(bed.folder, `${id}.received`), "utf8");
      } catch {
        return "";
      }
    },
    running: async ({ identity, pid, sessionId }) =>
      (await processTree(table, { serverPid: identity.server_pid, rootPid: pid, sessionId: sessionId ?? "", known: [] })).length,
    setMode: async () => undefined,
    rename: (pane, name) => bed.driver.rename(pane.identity, name),
    async endServer() {
      await signal("SIGKILL");
      await until(async () => (await listHolders(bed.base)).every(({ kind }) => kind !== "running"), { withinMs: 5000, everyMs: 10 });
    },
    stopServer: () => signal("SIGSTOP"),
    continueServer: () => signal("SIGCONT"),
    openForeign: async () => undefined,
    close: async () => undefined,
  };
}

/** The members that the contract calls beyond what every host has. */
function asTmux(driver: PtyDriver, base: string): TmuxDriver {
  const refuse = async (): Promise<never> => {
    throw new TypeError("a PTY of ours has no such thing");
  };
  return {
    ...driver,
    transport: "memory",
    socket: base,
    server: async (): Promise<{ kind: "present"; value: ServerInfo }> => refuse(),
    adopt: refuse,
    release: refuse,
    attachCommand: () => ["true"],
  };
}
