import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Case, figuresOf, isFaulty } from "../../judge/figures.js";
import { type HostileText, hostileTexts, type Moment } from "../../judge/hostile-texts.js";
import { type AgentFixture, agentFixture } from "../agent-fixture.js";
import { REAL_AGENTS } from "../agent-homes.js";
import type { Host } from "./judge-fixture.js";
import { tryTexts } from "./try-texts.js";

const { TMPM_AGENTS, TMPM_TEST_AGENT_HOSTS = "tmux", TMPM_TEST_TEXT_SEED = "1", TMPM_TEST_SCALE = "1" } = process.env;
const {
  TMPM_TEST_TEXTS = String(200 * Number(TMPM_TEST_SCALE)),
  TMPM_TEST_TEXTS_FROM = "0",
  TMPM_TEST_MINUTES = "600",
  TMPM_TEST_TEXT,
  TMPM_TEST_MOMENT = "idle",
} = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
const hosts = TMPM_TEST_AGENT_HOSTS.split(",") as readonly Host[];
const seed = Number(TMPM_TEST_TEXT_SEED);

const moment = TMPM_TEST_MOMENT as Moment;

/** The generated texts from a given number on, or those of a given JSON list, each sent at `TMPM_TEST_MOMENT`. */
const texts: readonly HostileText[] =
  TMPM_TEST_TEXT === undefined
    ? hostileTexts({ count: Number(TMPM_TEST_TEXTS), seed }).slice(Number(TMPM_TEST_TEXTS_FROM))
    : (JSON.parse(TMPM_TEST_TEXT) as readonly string[]).map((text, number) => ({ number, kind: "given", moment, text }));

describe.each(chosen.flatMap((agent) => hosts.map((host) => ({ agent, host, id: agent.id }))))(
  "texts to $id on $host",
  ({ agent, host }) => {
    let place: AgentFixture;

    beforeAll(async () => {
      place = await agentFixture(agent);
    }, 900_000);

    afterAll(() => place[Symbol.asyncDispose](), 120_000);

    test(`arrive exactly, as declared, or are refused, with correct receipts: ${texts.length} texts`, {
      timeout: texts.length * 240_000,
    }, async () => {
      const cases: Case[] = [];
      const who = `${agent.id} on ${host}`;
      const done = (each: Case) => {
        cases.push(each);
        const verdict = `${each.judged.verdict}, receipt ${each.judged.receipt}`;
        if (isFaulty(each))
          console.info(
            `${figuresOf({ who, seed, cases: [each] })
              .split("\n")
              .slice(-2)
              .join("\n")}`,
          );
        else if (cases.length % 10 === 0) console.info(`${who}: ${cases.length} of ${texts.length}, the last ${verdict}`);
      };
      try {
        const until = Date.now() + Number(TMPM_TEST_MINUTES) * 60_000;
        await tryTexts({ agentFixture: place, agent, host }, { texts, until, done });
      } finally {
        console.info(figuresOf({ who, seed, cases }));
      }
      expect(cases.filter(isFaulty).map(({ hostile }) => hostile.number)).toEqual([]);
    });
  },
);
