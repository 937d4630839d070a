import {
  aoActivity,
  RestState,
  restState,
  SessionState,
  SessionStatus,
  type SessionView,
  SwimmersState,
  sessionStatus,
  swimmersState,
} from "@tmpm/core";
import { exitingProgram } from "@tmpm/tmux-driver/fake";
import { expect, test } from "vitest";
import type { SessionFacts } from "../../src/index.js";
import { composerProgram } from "../fixtures/composer-program.js";
import { composer, fixture } from "../fixtures/fixture.js";

/** An agent whose program also fails and asks on request. */
const moody = {
  ...composer,
  read(observation: Parameters<typeof composer.read>[0]) {
    const reading = composer.read(observation);
    const mood = ["fail", "ask"].find((word) => observation.title === word);
    if (mood === undefined) return reading;
    return { ...reading, state: mood === "fail" ? ("errored" as const) : ("awaiting_approval" as const), evidence: [mood] };
  },
};

test("public operations reach every status, state, swimmers state and rest state", async () => {
  const { sessions, tmux } = fixture({
    adapters: [moody],
    programs: { "composer-agent": composerProgram({}), false: exitingProgram(3, "") },
  });
  const seen = { status: new Set<string>(), state: new Set<string>(), swimmers: new Set<string>(), rest: new Set<string>() };
  const note = (facts: SessionFacts): SessionFacts => {
    const view: SessionView = facts;
    seen.status.add(sessionStatus(view));
    seen.state.add(facts.record.state);
    seen.swimmers.add(swimmersState(view));
    seen.rest.add(restState(view, { nowMs: tmux.now(), thought: facts.thought.rest_state }));
    expect(aoActivity(view, { nowMs: tmux.now() })).toBeTypeOf("string");
    return facts;
  };
  const look = async (session = "one") => {
    const waiting = sessions.wait({ session, until: "exited", timeout_ms: 200 });
    await waiting.catch((error: unknown) => expect(error).toMatchObject({ code: "TIMEOUT" }));
    return note(await sessions.show({ session }));
  };

  tmux.failNext("create", "unknown");
  await expect(sessions.create({ agent: "composer", cwd: "/w", name: "late" })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE" });
  note(await sessions.show({ session: "late" }));
  note((await sessions.create({ agent: "composer", cwd: "/w", name: "one" })).session);
  await look();
  tmux.advance(40_000);
  await look();
  await sessions.send({ session: "one", text: "work" });
  note(await sessions.show({ session: "one" }));
  tmux.setTitle("tmpm-one", "ask");
  await look();
  tmux.setTitle("tmpm-one", "fail");
  await look();
  tmux.setTitle("tmpm-one", "");
  note((await sessions.pause({ session: "one" })).session);
  note(await sessions.resume({ session: "one" }));
  sessions.start();
  const leave = tmux.attachViewer("tmpm-one");
  await expect.poll(async () => note(await sessions.show({ session: "one" })).record.viewed_at).not.toBeNull();
  leave();
  await expect.poll(async () => sessionStatus(note(await sessions.show({ session: "one" })))).toBe("Detached");
  await sessions.close();
  note((await sessions.stop({ session: "one" })).session);
  note(await sessions.markErrored({ session: "one", message: "no use" }));
  note((await sessions.delete({ session: "one" })).session);
  note(await sessions.reactivate({ session: "one" }));
  note((await sessions.remove({ session: "one" })).session);

  expect([...seen.status].sort()).toEqual([...SessionStatus.options].sort());
  expect([...seen.state].sort()).toEqual([...SessionState.options].sort());
  expect([...seen.swimmers].sort()).toEqual([...SwimmersState.options].sort());
  // `sleeping` comes only from thoughts, which the thought tests cover.
  expect([...seen.rest].sort()).toEqual(RestState.options.filter((state) => state !== "sleeping").sort());
});
