import type { FleetList, FleetSession, NodeList } from "@tmpm/api";
import { CONTRACTS } from "@tmpm/api";
import { TmpmError } from "@tmpm/core/errors";
import { afterEach, expect, test } from "vitest";
import { followOthers } from "../src/daemon/follow-others.js";
import { filter } from "../src/state/filter.js";
import { others, othersListed, othersUnlisted, shownOthers } from "../src/state/others.js";

const [EXAMPLE] = CONTRACTS.fleet.answer.parse(CONTRACTS.fleet.example.answer).sessions;
const NODES = CONTRACTS.nodes.answer.parse(CONTRACTS.nodes.example.answer);
type Listed = Pick<FleetList, "nodes" | "sessions">;

function list(...sessions: readonly Partial<FleetSession>[]): Listed {
  return {
    nodes: [
      { node: null, complete: true, as_of: null, presence: "online", reason: null, waiting: 0 },
      { node: "build1", complete: false, as_of: "2026-01-02T09:14:00Z", presence: "offline", reason: "silent for 45 s", waiting: 0 },
    ],
    sessions: sessions.map((more) => ({ ...EXAMPLE, ...more }) as FleetSession),
  };
}

interface Page {
  readonly nodes?: NodeList["nodes"];
  readonly isWatched?: boolean;
  readonly error?: TmpmError;
}

/** A page with the given visibility at each poll, closed after the last one. */
async function looks(...pages: readonly Page[]) {
  const asked: string[] = [];
  const heard: Listed[] = [];
  const unlisted: string[] = [];
  const pauses: number[] = [];
  let turn = 0;
  await followOthers({
    client: {
      nodes: async () => {
        asked.push("nodes");
        const { error, nodes = NODES.nodes } = pages[turn] ?? {};
        if (error !== undefined) throw error;
        return { nodes, next: null };
      },
      fleet: async (input) => {
        asked.push(`fleet ${input?.node}`);
        return { ...list({ node: "build1" }), problems: [], complete: false, next: null };
      },
    },
    listed: (each) => heard.push(each),
    unlisted: (reason) => unlisted.push(reason),
    isWatched: () => pages[turn]?.isWatched ?? true,
    pause: async (ms) => {
      pauses.push(ms);
      turn += 1;
      return turn < pages.length;
    },
  });
  return { asked, heard, unlisted, pauses };
}

afterEach(() => {
  others.value = [];
  filter.value = "";
});

test("only other machines are polled", async () => {
  const { asked, heard, pauses } = await looks({}, {});
  expect([asked, pauses, heard.length]).toEqual([["nodes", "fleet build1", "nodes", "fleet build1"], [10_000, 10_000], 2]);
});

test("a hidden page sends no requests, and a page without other machines few", async () => {
  const hidden = await looks({ isWatched: false });
  expect(hidden.asked).toEqual([]);
  const alone = await looks({ nodes: [] });
  expect([alone.asked, alone.heard, alone.pauses]).toEqual([["nodes"], [{ nodes: [], sessions: [] }], [60_000]]);
});

test("a failed request does not end the polling", async () => {
  const away = new TmpmError("DAEMON_UNREACHABLE", "away");
  const { heard, unlisted } = await looks({ error: away }, {});
  expect([heard.length, unlisted]).toEqual([1, []]);
});

test("after a failed list, the last one is kept as outdated, with the reason", async () => {
  expect((await looks({ error: new TmpmError("INTERNAL", "no list") })).unlisted).toEqual(["no list"]);
  othersListed(list({ node: "build1", name: "api", was: null }));
  othersUnlisted("no list");
  expect(others.value.map(({ part, sessions }) => [part.complete, part.reason, sessions.map(({ was }) => was)])).toEqual([
    [false, "no list", [EXAMPLE?.activity.state]],
  ]);
});

test("sessions are grouped by machine, with the reason if it does not answer, and filtered like all others", () => {
  othersListed(list({ node: null, name: "own" }, { node: "build1", name: "api" }, { node: "build1", name: "web" }));
  expect(others.value.map(({ part, sessions }) => [part.node, part.reason, sessions.map(({ name }) => name)])).toEqual([
    ["build1", "silent for 45 s", ["api", "web"]],
  ]);
  filter.value = "web";
  expect(shownOthers.value.map(({ sessions }) => sessions.map(({ name }) => name))).toEqual([["web"]]);
  filter.value = "nothing like it";
  expect(shownOthers.value).toEqual([]);
});
