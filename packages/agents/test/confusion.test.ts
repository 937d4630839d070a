import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ActivityState } from "@tmpm/core";
import { expect, test } from "vitest";
import { readScreen } from "../src/index.js";
import { recordedScreens } from "./recorded-screens.js";

const VERSIONS = readdirSync(join(import.meta.dirname, "../screens")).sort();

test.each(VERSIONS)("every recorded screen of %s is read as its state", (version) => {
  const [agent = ""] = version.split("-");
  const counts = new Map<string, number>();
  for (const { state, observation } of recordedScreens(version)) {
    const pair = `${state} ${readScreen(agent, observation).state}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  console.log(matrix(version, counts));
  const confused = [...counts.keys()].filter((pair) => new Set(pair.split(" ")).size > 1);
  expect(confused).toEqual([]);
});

/** Rows are the actual states of the screens, columns the states that were read. */
function matrix(version: string, counts: ReadonlyMap<string, number>): string {
  const states = [...new Set([...counts.keys()].flatMap((pair) => pair.split(" ")))].sort();
  const width = Math.max(...states.map((state) => state.length)) + 2;
  const cells = (from: string) => states.map((to) => String(counts.get(`${from} ${to}`) ?? ".").padStart(width)).join("");
  const head = `${version.padEnd(width)}${states.map((state) => state.padStart(width)).join("")}`;
  return [head, ...states.map((from) => `${from.padEnd(width)}${cells(from)}`)].join("\n");
}

const RANDOM_WORDS: readonly ActivityState[] = ["idle", "working"];

test("a screen of one agent is not read as another's", () => {
  for (const version of VERSIONS) {
    const [agent = ""] = version.split("-");
    for (const other of VERSIONS.filter((name) => !name.startsWith(agent))) {
      for (const { observation, name } of recordedScreens(other)) {
        const { state } = readScreen(agent, { ...observation, title: "host", command: "node" });
        expect(RANDOM_WORDS.includes(state), `${agent} reads ${other} ${name} as ${state}`).toBe(false);
      }
    }
  }
});
